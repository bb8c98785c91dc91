package zfs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

type learner struct{}

// New returns the learner.
func New() assay.Learner { return learner{} }

// Format recognises the table by its header, and what -H prints by a tab on
// each side of a property that everybody has.
func (learner) Format() assay.Format {
	return assay.Format{
		Tool: "zfs", Commands: []string{"zfs", "zpool"},
		Begins: func(line string) bool {
			if isHeader(line) {
				return true
			}
			if strings.IndexByte(line, '\t') < 0 {
				return false
			}
			columns := strings.Split(strings.TrimRight(line, "\r"), "\t")
			return (len(columns) == 3 || len(columns) == 4) && known[columns[1]] && name.MatchString(columns[0])
		},
		Splits: func(_ []byte, next string) bool { return isHeader(next) },
	}
}

// isHeader knows the table with and without its last column (-o).
func isHeader(line string) bool {
	if !strings.Contains(line, "PROPERTY") {
		return false
	}
	words := strings.Join(strings.Fields(line), " ")
	return words == "NAME PROPERTY VALUE SOURCE" || words == "NAME PROPERTY VALUE"
}

// known are properties with which rows of -H begin, or that people ask for.
var known = func() map[string]bool {
	all := map[string]bool{}
	for _, p := range strings.Fields("type creation used available referenced compressratio mounted recordsize volblocksize volsize compression sync logbias " +
		"primarycache secondarycache direct dedup checksum atime encryption copies quota reservation size capacity health ashift autotrim") {
		all[p] = true
	}
	return all
}()

var (
	name     = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.:/@#%-]*$`)
	property = lazyregexp.New(`^[a-z0-9][a-z0-9_:.@+-]*$`)
	gap      = lazyregexp.New(`\t|\s{2,}`)
	source   = lazyregexp.New(`^(?:-|none|default|local|temporary|received|inherited from \S+)$`)
)

// Learn adds the properties of each dataset and pool to what is known of it.
// Snapshots are left out: nothing can be measured on them.
func (learner) Learn(tr assay.Transcript, f *assay.Facts) error {
	step := tr.Step("measure")
	if step == nil {
		return fmt.Errorf("zfs: %w", assay.ErrNoOutput)
	}
	found := map[string]map[string]string{}
	var order []string
	var table header
	for _, line := range strings.Split(string(step.Output.Stdout), "\n") {
		line = strings.TrimRight(line, " \r\\")
		if isHeader(line) {
			table = header{seen: true, sourced: strings.HasSuffix(line, "SOURCE"), narrow: !strings.Contains(strings.TrimSpace(line), "  ")}
			continue
		}
		dataset, key, value, ok := table.row(line)
		if !ok {
			continue
		}
		if found[dataset] == nil {
			found[dataset] = map[string]string{}
			order = append(order, dataset)
		}
		if value != "-" {
			found[dataset][key] = value
		}
	}
	if len(order) == 0 {
		return assay.WithHint("zfs get all DATASET prints them", "zfs: %w: no property of a dataset", assay.ErrNoOutput)
	}
	pools := slices.Clone(f.Pools)
	for _, dataset := range order {
		i := slices.IndexFunc(pools, func(p assay.PoolFacts) bool { return p.Name == dataset })
		if i < 0 {
			i = len(pools)
			pools = append(pools, assay.PoolFacts{Kind: "zfs", Name: dataset})
		}
		properties := maps.Clone(pools[i].Properties)
		if properties == nil {
			properties = map[string]string{}
		}
		maps.Copy(properties, found[dataset])
		pools[i].Properties = properties
	}
	f.Pools = pools
	return nil
}

// header is what the first line of a table says of its rows.
type header struct {
	seen    bool
	sourced bool // they end with a source
	narrow  bool // somebody put one blank for several
}

// row reads one line. Values hold blanks (a date). With tabs it needs no header.
func (h header) row(line string) (dataset, key, value string, ok bool) {
	columns := gap.Split(strings.TrimSpace(line), -1)
	switch tabs := strings.Count(line, "\t"); {
	case tabs == 2 && len(columns) == 3: // -H -o name,property,value
		columns = append(columns, "-")
	case tabs >= 2: // -H
	case !h.seen:
		return "", "", "", false
	case !h.sourced:
		columns = append(columns, "-")
	case h.narrow:
		columns = narrow(strings.Fields(line))
	}
	last := len(columns) - 1
	if last < 3 || !name.MatchString(columns[0]) || strings.ContainsAny(columns[0], "@#") || !property.MatchString(columns[1]) || !source.MatchString(columns[last]) {
		return "", "", "", false
	}
	return columns[0], columns[1], strings.Join(columns[2:last], " "), true
}

// narrow puts the words of a source together again.
func narrow(words []string) []string {
	if n := len(words); n >= 6 && words[n-3] == "inherited" && words[n-2] == "from" {
		return append(slices.Clone(words[:n-3]), strings.Join(words[n-3:], " "))
	}
	return words
}
