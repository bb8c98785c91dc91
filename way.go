package assay

import (
	"maps"
	"slices"
	"strings"
)

// Way is how scratch space is lent, as settings of its kind of volume:
// sync=always, cache=writeback. An empty Way leaves the storage as it is set up.
// Two ways on one subject are two separate spaces.
type Way map[string]string

// Words returns the settings as name=value, sorted by name.
func (w Way) Words() []string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(w)) {
		words = append(words, name+"="+w[name])
	}
	return words
}

// Check returns an error for a setting that the kind of volume does not know.
func (w Way) Check(kind string, known ...string) error {
	for _, name := range slices.Sorted(maps.Keys(w)) {
		if slices.Contains(known, name) {
			continue
		}
		takes := "it takes no settings"
		if len(known) > 0 {
			takes = "it takes " + strings.Join(known, ", ")
		}
		return WithHint("remove it from the case's lend:", "%s volumes cannot be lent with %s=%s: %s", kind, name, w[name], takes)
	}
	return nil
}
