package zfs

import (
	"strings"

	"assay/internal/lazyregexp"
)

// Property is a row of zfs get or zpool get. Value is as printed.
type Property struct {
	Of, Name, Value string
	Source          string // local, default, "inherited from tank", received; "-" where it has none
}

// Set reports whether the property was set on the dataset itself rather than
// received with it.
func (p Property) Set() bool { return p.Source == "local" }

var (
	name     = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.:/@#%-]*$`)
	property = lazyregexp.New(`^[a-z0-9][a-z0-9_:.@+-]*$`)
	gap      = lazyregexp.New(`\t|\s{2,}`)
	source   = lazyregexp.New(`^(?:-|none|default|local|temporary|received|inherited from \S+)$`)
)

// IsHeader reports whether a line is a table's header, with or without its last
// column (-o).
func IsHeader(line string) bool {
	if !strings.Contains(line, "PROPERTY") {
		return false
	}
	words := strings.Join(strings.Fields(line), " ")
	return words == "NAME PROPERTY VALUE SOURCE" || words == "NAME PROPERTY VALUE"
}

// ReadProperties parses the rows of zfs get and zpool get, with or without -H. Other
// lines are ignored.
func ReadProperties(text []byte) []Property {
	var all []Property
	var table header
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, " \r\n\\")
		if IsHeader(line) {
			table = header{seen: true, sourced: strings.HasSuffix(line, "SOURCE"), narrow: !strings.Contains(strings.TrimSpace(line), "  ")}
			continue
		}
		if p, ok := table.row(line); ok {
			all = append(all, p)
		}
	}
	return all
}

// header describes a table's rows, by its first line.
type header struct {
	seen    bool
	sourced bool // rows end with a source
	narrow  bool // runs of blanks were squeezed into one
}

// row parses one line. Values may contain blanks (a date). Tab-separated lines
// need no header.
func (h header) row(line string) (Property, bool) {
	columns := gap.Split(strings.TrimSpace(line), -1)
	switch tabs := strings.Count(line, "\t"); {
	case tabs == 2 && len(columns) == 3: // -H -o name,property,value
		columns = append(columns, "-")
	case tabs >= 2: // -H
	case !h.seen:
		return Property{}, false
	case !h.sourced:
		columns = append(columns, "-")
	case h.narrow:
		columns = narrow(strings.Fields(line))
	}
	last := len(columns) - 1
	if last < 3 || !name.MatchString(columns[0]) || strings.ContainsAny(columns[0], "@#") || !property.MatchString(columns[1]) || !source.MatchString(columns[last]) {
		return Property{}, false
	}
	return Property{Of: columns[0], Name: columns[1], Value: strings.Join(columns[2:last], " "), Source: columns[last]}, true
}

// narrow joins the words of a source.
func narrow(words []string) []string {
	if n := len(words); n >= 6 && words[n-3] == "inherited" && words[n-2] == "from" {
		return append(append([]string(nil), words[:n-3]...), strings.Join(words[n-3:], " "))
	}
	return words
}
