package alerts

import (
	"io"
	"maps"
	"slices"
	"strings"

	"assay/internal/lazyregexp"
)

// yaml writes the few constructs that these files need. A full library would add more to
// the binary than all rules.
type yaml struct{ b strings.Builder }

func (y *yaml) line(depth int, text string) {
	y.b.WriteString(strings.Repeat("  ", depth) + text + "\n")
}

func (y *yaml) comment(about string) {
	for line := range strings.Lines(about) {
		y.line(0, "# "+strings.TrimSpace(line))
	}
}

// words writes a map of strings, sorted by key.
func (y *yaml) words(depth int, name string, all map[string]string) {
	y.line(depth, name+":")
	for _, key := range slices.Sorted(maps.Keys(all)) {
		y.line(depth+1, key+": "+y.text(all[key]))
	}
}

// harmless matches strings that YAML reads as themselves without quotes.
var harmless = lazyregexp.New(`^[a-z/][A-Za-z /._-]*[A-Za-z.]$`)

// text quotes a string if needed, so that YAML reads it unchanged.
func (y *yaml) text(s string) string {
	if harmless.MatchString(s) && !slices.Contains([]string{"true", "false", "yes", "no", "on", "off", "null"}, s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

func (y *yaml) write(w io.Writer) error {
	_, err := io.WriteString(w, y.b.String())
	return err
}
