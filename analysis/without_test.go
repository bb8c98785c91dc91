package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/analysis/hypotheses"
)

// have and lack return cells of tables and matrices.
func have() SideCell { return SideCell{Trial: "t", Figure: &Figure{}} }

func lack(word assay.AbsenceWord, why string) SideCell {
	return SideCell{Trial: "lacking", Absent: &assay.Absence{Word: word, Why: why, Hint: "mend it"}}
}

func TestWithout(t *testing.T) {
	readOnly := lack(assay.Failed, "host c: /srv is not writable")
	table := func(cells ...SideCell) *Side {
		return &Side{Hosts: []string{"a", "b", "c", "d"}, Tables: []SideTable{{ID: "storage", Rows: []SideRow{{Title: "random reads", Cells: cells}}}}}
	}
	silent := lack(assay.Failed, "no answer")
	links := func(rows ...[]SideCell) *Side {
		return &Side{Hosts: []string{"a", "b", "c", "d"}, Networks: []Matrix{{Network: "lan", Title: "path MTU", Hosts: []string{"a", "b", "c", "d"}, Cells: rows}}}
	}
	of := func(title, layer, why string, ways Ways) []Without {
		return []Without{{Host: "c", Rows: []string{title}, Ways: ways, Why: why, Hint: "mend it", Layers: []string{layer}}}
	}
	absent := map[string]*assay.Result{"lacking": {Trial: assay.Trial{Absent: readOnly.Absent}}}
	once := map[string]*assay.Result{"lacking": {Repeats: []assay.Repeat{{Outcome: assay.Broke}}}}
	twice := map[string]*assay.Result{"lacking": {Repeats: []assay.Repeat{{Outcome: assay.Broke}, {Outcome: assay.Broke}}}}
	storage := of("random reads", "storage", "/srv is not writable", "")
	certain := []Outlier{{Standout: Standout{Host: "c"}, Why: &hypotheses.Cause{Hypothesis: &hypotheses.Hypothesis{Layer: "storage"}, Certainty: hypotheses.Certain}}}
	for _, c := range []struct {
		name     string
		side     *Side
		results  map[string]*assay.Result
		outliers []Outlier
		away     []Away
		want     []Without
	}{
		{"not tried", table(have(), have(), readOnly, have()), absent, nil, nil, storage},
		{"failed twice", table(have(), have(), readOnly, have()), twice, nil, nil, storage},
		{"failed once", table(have(), have(), readOnly, have()), once, nil, nil, nil},
		{"all have it", table(have(), have(), have(), have()), nil, nil, nil, nil},
		{"half lack it", table(have(), have(), readOnly, readOnly), absent, nil, nil, nil},
		{"one other has it", table(have(), SideCell{}, readOnly, SideCell{}), absent, nil, nil, nil},
		{"there is no such thing", table(have(), have(), lack(assay.NotSupported, "no sensor"), have()), absent, nil, nil, nil},
		{"the run ended before", table(have(), have(), lack(assay.NoData, "the run ended"), have()), absent, nil, nil, nil},
		{"the host was away", table(have(), have(), readOnly, have()), absent, nil, []Away{{Host: "c"}}, nil},
		{"a proven fault", table(have(), have(), readOnly, have()), absent, certain, nil, nil},
		{"links to and from", links(
			[]SideCell{{}, have(), silent, have()}, []SideCell{have(), {}, silent, have()},
			[]SideCell{silent, silent, {}, silent}, []SideCell{have(), have(), silent, {}}), nil, nil, nil,
			of("path MTU on lan", "network", "no answer", BothOfHost)},
		{"links to", links(
			[]SideCell{{}, have(), silent, have()}, []SideCell{have(), {}, silent, have()},
			[]SideCell{have(), have(), {}, have()}, []SideCell{have(), have(), silent, {}}), nil, nil, nil,
			of("path MTU on lan", "network", "no answer", ToHost)},
		{"one link", links(
			[]SideCell{{}, have(), silent, have()}, []SideCell{have(), {}, have(), have()},
			[]SideCell{have(), have(), {}, have()}, []SideCell{have(), have(), have(), {}}), nil, nil, nil, nil},
	} {
		b := builder{results: c.results, away: c.away}
		if diff := cmp.Diff(c.want, b.without(c.side, c.outliers)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}
