package analysis

import (
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/stats"
)

// TierNotes is what to report about the tiers as a whole.
type TierNotes struct {
	Raw     []string    // columns that are raw block devices, unless all are
	Engines []EngineUse // where they differ
	Images  []ImageUse
	Unwell  []Unwell
	Checks  []CrossCheck
}

// CrossCheck is one load on an image, measured by two tools through the same
// librbd.
type CrossCheck struct {
	Subject         string
	Write, Random   bool
	Block, InFlight string
	FIO, Bench      float64 // operations a second
	Apart           bool    // repeats do not overlap, with three or more each
}

// crossChecks pairs rbd bench results with fio results of the same load.
func crossChecks(run assay.Run) []CrossCheck {
	var all []CrossCheck
	for _, bench := range run.Results {
		if bench.Trial.FilledBy == "" || bench.Trial.FilledBy == bench.Trial.Probe {
			continue
		}
		for _, other := range run.Results {
			if other.Trial.Probe != bench.Trial.FilledBy || len(other.Trial.Others) > 0 || other.Trial.Subject.ID != bench.Trial.Subject.ID ||
				!maps.Equal(other.Trial.Lend, bench.Trial.Lend) || !sameLoad(other.Trial.Settings, bench.Trial.Settings) {
				continue
			}
			write := strings.HasSuffix(bench.Trial.Settings["rw"], "write")
			op := "read"
			if write {
				op = "write"
			}
			fio, rbd := other.Values("storage."+op+".iops"), bench.Values("pool."+op+".iops")
			if len(fio) > 0 && len(rbd) > 0 && stats.Median(fio) > 0 {
				all = append(all, CrossCheck{bench.Trial.Subject.Tier, write, strings.HasPrefix(bench.Trial.Settings["rw"], "rand"),
					bench.Trial.Settings["bs"], bench.Trial.Settings["iodepth"], stats.Median(fio), stats.Median(rbd), apart(fio, rbd)})
				break
			}
		}
	}
	return all
}

// apart reports whether all of a are above or below all of b, with three or more
// each.
func apart(a, b []float64) bool {
	return len(a) > 2 && len(b) > 2 && (slices.Min(a) > slices.Max(b) || slices.Max(a) < slices.Min(b))
}

// sameLoad reports whether two loads are the same: a setting that one does not have,
// such as the number of jobs, is 1 or unset in the other.
func sameLoad(fio, bench map[string]string) bool {
	size := func(set map[string]string) int64 { n, _ := assay.ParseSize(set["bs"]); return n }
	none := func(word string) bool { return word == "" || word == "0" }
	return fio["rw"] == bench["rw"] && size(fio) == size(bench) && fio["iodepth"] == bench["iodepth"] &&
		(fio["numjobs"] == "" || fio["numjobs"] == "1") && none(fio["sync"]) && none(fio["rate_iops"])
}

// ImageUse is the setup of images measured through librbd, with the columns measured
// that way.
type ImageUse struct {
	Features []string
	Settings map[string]string // of librbd
	Columns  []string
}

// EngineUse is an engine and the columns measured with it.
type EngineUse struct {
	Engine  string
	Columns []string
}

// Unwell is storage that itself reports a problem.
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
	if len(notes.Raw) == len(storage) {
		notes.Raw = nil
	}
	notes.Images = imagesOf(storage, blocks)
	notes.Checks = crossChecks(b.run)
	for _, c := range t.Columns {
		if s := b.run.Inventory.Facts[c.Host].Stack; s != nil && s.Health != "" && !isHealthy(s.Health) {
			notes.Unwell = append(notes.Unwell, Unwell{c.Name, s.Health})
		}
	}
	return notes
}

// imagesOf returns the images of the columns, identical ones once.
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

// isHealthy recognises the words with which Longhorn, Ceph, DRBD and Garage
// report good health.
func isHealthy(word string) bool {
	return slices.Contains([]string{"healthy", "health_ok", "uptodate", "ok"}, strings.ToLower(word))
}

// enginesOf returns the engines if they differ: then how operations reach the
// kernel is part of the difference, though mostly a small one.
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

// waitsForEach reports whether a result is of small writes, one at a time, each
// durable before the next.
func waitsForEach(r assay.Result) bool {
	load := happenedTo(r, "storage.write.iops")
	size := requestSize(r, "storage.write.iops")
	return strings.Contains(load["pattern"], "write") && inFlight(load) == 1 && load["sync"] != "" && load["sync"] != "0" && size > 0 && size < assay.LargeBlock
}
