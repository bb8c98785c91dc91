package analysis

import (
	"maps"
	"slices"
	"strings"

	"assay"
)

// TierNotes is what is to be said of tiers as a whole.
type TierNotes struct {
	Raw     []string    // columns that are raw block devices
	Engines []EngineUse // where they differ
	Images  []ImageUse
	Unwell  []Unwell
}

// ImageUse is how images were that were measured through librbd, with the columns that
// were measured so.
type ImageUse struct {
	Features []string
	Settings map[string]string // of librbd
	Columns  []string
}

// EngineUse is an engine with the columns that were measured with it.
type EngineUse struct {
	Engine  string
	Columns []string
}

// Unwell is storage that says itself that something is wrong.
type Unwell struct{ Column, Health string }

func (b *builder) tierNotes(t *Tiers, storage []TierColumn, blocks []tierCase) TierNotes {
	notes := TierNotes{Engines: enginesOf(storage, blocks)}
	for i, c := range storage {
		if slices.ContainsFunc(blocks, func(k tierCase) bool {
			return k.results[i] != nil && k.results[i].Trial.Subject.Kind == assay.KindBlock
		}) {
			notes.Raw = append(notes.Raw, c.Name)
		}
	}
	notes.Images = imagesOf(storage, blocks)
	for _, c := range t.Columns {
		if s := b.run.Inventory.Facts[c.Host].Stack; s != nil && s.Health != "" && !isHealthy(s.Health) {
			notes.Unwell = append(notes.Unwell, Unwell{c.Name, s.Health})
		}
	}
	return notes
}

// imagesOf gives the images of the columns, those that are alike once.
func imagesOf(columns []TierColumn, cases []tierCase) []ImageUse {
	var all []ImageUse
	for i, c := range columns {
		for _, k := range cases {
			if k.results[i] == nil || k.results[i].Scratch.Image == nil {
				continue
			}
			m := k.results[i].Scratch.Image
			at := slices.IndexFunc(all, func(u ImageUse) bool {
				return slices.Equal(u.Features, m.Features) && maps.Equal(u.Settings, m.Settings)
			})
			switch {
			case at < 0:
				all = append(all, ImageUse{m.Features, m.Settings, []string{c.Name}})
			case !slices.Contains(all[at].Columns, c.Name):
				all[at].Columns = append(all[at].Columns, c.Name)
			}
		}
	}
	return all
}

// isHealthy knows the words with which Longhorn, Ceph, DRBD and Garage say that
// all is well.
func isHealthy(word string) bool {
	return slices.Contains([]string{"healthy", "health_ok", "uptodate", "ok"}, strings.ToLower(word))
}

// enginesOf gives the engines where they differ: how operations are handed to the
// kernel is part of the difference then, if mostly a small one.
func enginesOf(columns []TierColumn, cases []tierCase) []EngineUse {
	var all []EngineUse
	for i, c := range columns {
		for _, k := range cases {
			for _, f := range tierFigures(k.results[i]) {
				engine := labelsOf(*k.results[i], f.metric)["engine"]
				at := slices.IndexFunc(all, func(u EngineUse) bool { return u.Engine == engine })
				switch {
				case engine == "":
				case at < 0:
					all = append(all, EngineUse{engine, []string{c.Name}})
				case !slices.Contains(all[at].Columns, c.Name):
					all[at].Columns = append(all[at].Columns, c.Name)
				}
			}
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// waitsForEach says that a result is of small writes, one at a time, each of them
// durable before the next.
func waitsForEach(r assay.Result) bool {
	load := happenedTo(r, "storage.write.iops")
	size := requestSize(r, "storage.write.iops")
	return strings.Contains(load["pattern"], "write") && inFlight(load) == 1 && load["sync"] != "" && load["sync"] != "0" && size > 0 && size < assay.LargeBlock
}
