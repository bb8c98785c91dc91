package watch

import (
	"maps"

	"assay"
)

// Call has what is watched be told by other names of its devices, given by the
// kernel's own: those that they had when the run was begun, which it has gone on
// from since. A device whose other name is "" is not told of.
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
