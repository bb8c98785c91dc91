package analysis

import (
	"slices"

	"assay"
	"assay/analysis/hypotheses"
)

// Without is a host that lacks figures which most others have.
type Without struct {
	Host   string   `json:"host"`
	Rows   []string `json:"rows"` // titles; of links with their network
	Ways   Ways     `json:"ways,omitempty"`
	Why    string   `json:"why"` // of the first
	Hint   string   `json:"hint"`
	Layers []string `json:"layers"` // ids of the sections
}

// without finds the figures that a minority of the hosts lacks although they were tried
// there, or could not be. Figures missing because a host was away, the run ended or the
// host has no such thing are no sign of a fault; those that a known fault explains are
// reported with it.
func (b *builder) without(s *Side, outliers []Outlier) []Without {
	var out []Without
	for _, h := range s.Hosts {
		if slices.ContainsFunc(b.away, func(a Away) bool { return a.Host == h }) {
			continue
		}
		w := Without{Host: h}
		for _, t := range s.Tables {
			for _, r := range t.Rows {
				at := slices.Index(s.Hosts, h)
				if lacks(&r.Cells[at]) && mostHave(r.Cells) && !slices.Contains(w.Rows, r.Title) {
					w.add(r.Title, t.ID, r.Cells[at])
				}
			}
		}
		for _, m := range s.Networks {
			w.addLinks(m)
		}
		if len(w.Rows) > 0 && b.failedOften(s, w) && !explains(outliers, w) {
			out = append(out, w)
		}
	}
	return out
}

func (w *Without) add(title, layer string, c SideCell) {
	w.Rows = append(w.Rows, title)
	w.Layers = appendOnce(w.Layers, layer)
	if w.Why == "" {
		w.Why, w.Hint = withoutHost(c.Absent.Why, w.Host), c.Absent.Hint
	}
}

// addLinks adds a matrix in which the host has no figures with any other, as sender,
// receiver or both, while others have some.
func (w *Without) addLinks(m Matrix) {
	own := slices.Index(m.Hosts, w.Host)
	if own < 0 {
		return
	}
	var sent, received []SideCell
	var others cellCount
	for from := range m.Cells {
		for to := range m.Cells[from] {
			switch c := &m.Cells[from][to]; {
			case from == to || !there(*c):
			case from == own:
				sent = append(sent, *c)
			case to == own:
				received = append(received, *c)
			default:
				others.count(c)
			}
		}
	}
	title := m.Title + " on " + m.Network
	if !others.mostHave() || slices.Contains(w.Rows, title) {
		return
	}
	none := func(cells []SideCell) bool {
		return len(cells) > 1 && !slices.ContainsFunc(cells, func(c SideCell) bool { return !lacks(&c) })
	}
	switch out, in := none(sent), none(received); {
	case out && in:
		w.add(title, "network", sent[0])
		w.Ways = BothOfHost
	case out:
		w.add(title, "network", sent[0])
		w.Ways = FromHost
	case in:
		w.add(title, "network", received[0])
		w.Ways = ToHost
	}
}

// lacks reports whether a cell lacks a figure that it should have.
func lacks(c *SideCell) bool {
	return c.Figure == nil && c.Absent != nil && c.Absent.Gone == "" && (c.Absent.Word == assay.Failed || c.Absent.Word == assay.Unknown)
}

// cellCount counts the cells that have a figure, and those that lack one.
type cellCount struct{ have, lack int }

func (t *cellCount) count(c *SideCell) {
	switch {
	case c.Figure != nil:
		t.have++
	case lacks(c):
		t.lack++
	}
}

// mostHave reports whether at least two cells have a figure, and more than lack one.
func (t cellCount) mostHave() bool { return t.have >= 2 && t.have > t.lack }

func mostHave(cells []SideCell) bool {
	var t cellCount
	for i := range cells {
		t.count(&cells[i])
	}
	return t.mostHave()
}

// explains reports whether everything missing is in the layer of a proven fault.
func explains(outliers []Outlier, w Without) bool {
	return slices.ContainsFunc(outliers, func(o Outlier) bool {
		return o.Host == w.Host && o.Peer == "" && o.Why != nil && o.Why.Certainty == hypotheses.Certain &&
			!slices.ContainsFunc(w.Layers, func(l string) bool { return l != o.Why.Layer })
	})
}

// failedOften reports whether it was no accident: it could not be tried, or failed in
// two repeats or several rows.
func (b *builder) failedOften(s *Side, w Without) bool {
	if len(w.Rows) > 1 || w.Ways != "" {
		return true
	}
	at := slices.Index(s.Hosts, w.Host)
	for _, t := range s.Tables {
		for _, r := range t.Rows {
			if r.Title != w.Rows[0] || r.Cells[at].Trial == "" {
				continue
			}
			result := b.result(r.Cells[at].Trial)
			broke := 0
			for _, rep := range result.Repeats {
				if rep.Outcome == assay.Broke {
					broke++
				}
			}
			if result.Trial.Absent != nil || broke > 1 {
				return true
			}
		}
	}
	return false
}
