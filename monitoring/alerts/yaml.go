package alerts

import (
	"io"
	"maps"
	"slices"
	"strings"

	"assay/internal/lazyregexp"
)

// yaml writes the few shapes that these files have. A library that writes everything would
// make the binary larger by more than all rules.
type yaml struct{ b strings.Builder }

func (y *yaml) line(depth int, text string) {
	y.b.WriteString(strings.Repeat("  ", depth) + text + "\n")
}

func (y *yaml) comment(about string) {
	for line := range strings.Lines(about) {
		y.line(0, "# "+strings.TrimSpace(line))
	}
}

// words writes a map of texts by name.
func (y *yaml) words(depth int, name string, all map[string]string) {
	y.line(depth, name+":")
	for _, key := range slices.Sorted(maps.Keys(all)) {
		y.line(depth+1, key+": "+y.text(all[key]))
	}
}

// harmless is a text that YAML takes for itself and for nothing else.
var harmless = lazyregexp.New(`^[a-z/][A-Za-z /._-]*[A-Za-z.]$`)

// text writes a text so that YAML reads just that.
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
