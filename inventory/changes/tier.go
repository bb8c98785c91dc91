package changes

import (
	"assay"
)

// ofTiers compares what was requested of each tier that both have; for the
// others, the changes to their hosts are reported.
func ofTiers(was, is []assay.Tier) (said []string) {
	now := tiersByName(is)
	for name, before := range tiersByName(was) {
		if after, there := now[name]; there {
			words := settings.compare(pairs(before.Set), pairs(after.Set))
			words = append(words, compare("", kindOfTier, before, after)...)
			said = append(said, begin("tier "+name, words)...)
		}
	}
	return said
}

func tiersByName(all []assay.Tier) map[string]assay.Tier {
	byName := map[string]assay.Tier{}
	for _, t := range all {
		byName[t.Name] = t
	}
	return byName
}

var (
	settings   = kind[pair]{noun: "setting", key: nameOf, traits: valueOf}
	kindOfTier = []trait[assay.Tier]{{what: "kind", of: one(func(t assay.Tier) string { return t.Kind })}}
)
