package watch

import (
	"maps"

	"assay"
)

// Call sets the names under which devices are reported, by their present kernel
// names: for a resumed run, the names they had when it began. A device whose
// name is "" is not reported.
func (w *Watcher) Call(names map[string]string) *Watcher {
	w.names = names
	return w
}

func (w *Watcher) called(counts map[string]assay.DeviceCounts) map[string]assay.DeviceCounts {
	if len(w.names) == 0 || counts == nil {
		return counts
	}
	all := maps.Clone(counts)
	for name := range w.names {
		delete(all, name)
	}
	for name, other := range w.names {
		if c, there := counts[name]; there && other != "" {
			all[other] = c
		}
	}
	return all
}
