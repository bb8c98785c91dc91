package analysis

import (
	"slices"
	"testing"

	"assay"
)

// What limits storage is its bus or the device, whatever memory and networks do.
func TestTheBottleneckOfStorage(t *testing.T) {
	known := assay.Facts{
		Host: "box", Dirs: []assay.DirFacts{{Path: "/srv", Drives: []string{"sda"}}},
		Block:  []assay.BlockDevice{{Name: "sda", Kind: "disk", Link: &assay.Link{Kind: "sata", Mode: "6.0 Gb/s", Ceiling: 600e6}}},
		Memory: assay.MemoryFacts{DIMMs: []assay.DIMM{{Bytes: 8 << 30, MTs: 2400}}, Channels: 1},
	}
	unknown := known
	unknown.Block = nil
	trial := func(kind assay.SubjectKind, name, title, metric string, value float64, labels map[string]string) assay.Result {
		return assay.Result{
			Trial: assay.Trial{ID: title, Title: title, Repeats: 1, Subject: assay.Subject{ID: "box/" + string(kind) + "/" + name, Kind: kind, Host: "box", Name: name}},
			Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
				{Metric: metric, Value: value, Unit: assay.BytesPerSecond, Labels: labels}}}},
		}
	}
	memory := trial(assay.KindMemory, "memory", "memory, sequential read", "memory.read.bandwidth", 17e9, nil)
	reads := trial(assay.KindDirectory, "/srv", "reads", "storage.read.bandwidth", 570e6, nil)
	slow := trial(assay.KindDirectory, "/srv", "slow reads", "storage.read.bandwidth", 60e6, nil)
	warm := trial(assay.KindDirectory, "/srv", "cached reads", "storage.read.bandwidth", 9e9, map[string]string{"cache": "warm"})
	trims := trial(assay.KindDirectory, "/srv", "trims", "storage.trim.bandwidth", 9e9, nil)
	several := trial(assay.KindDirectory, "/srv", "reads of two hosts", "storage.read.bandwidth", 900e6, nil)
	several.Trial.Others = []assay.Subject{{ID: "other/directory//srv", Kind: assay.KindDirectory, Host: "other", Name: "/srv"}}
	absent := trial(assay.KindDirectory, "/srv", "reads", "storage.read.bandwidth", 0, nil)
	absent.Repeats, absent.Trial.Absent = nil, &assay.Absence{Word: assay.Unknown, Why: "fio is not installed"}
	for _, c := range []struct {
		name     string
		facts    assay.Facts
		results  []assay.Result
		rejected []string // trials
		said     bool
		title    string // "" where the bus is unknown
		binds    bool
	}{
		{"at its bus's limit", known, []assay.Result{slow, reads, memory}, nil, true, "reads", true},
		{"far from it, memory close to its own", known, []assay.Result{slow, memory}, nil, true, "slow reads", false},
		{"the fast one is rejected", known, []assay.Result{slow, reads, memory}, []string{"reads"}, true, "slow reads", false},
		{"all are rejected", known, []assay.Result{slow, reads, memory}, []string{"reads", "slow reads"}, false, "", false},
		{"none was measured", known, []assay.Result{absent, memory}, nil, false, "", false},
		{"memory alone", known, []assay.Result{memory}, nil, false, "", false},
		{"an unknown bus", unknown, []assay.Result{reads, memory}, nil, true, "", false},
		{"an unknown bus, nothing believed", unknown, []assay.Result{reads, memory}, []string{"reads"}, false, "", false},
		{"trims move no data over a bus", known, []assay.Result{slow, trims}, nil, true, "slow reads", false},
		{"trims alone", known, []assay.Result{trims}, nil, false, "", false},
		{"reads from the page cache cross no bus", known, []assay.Result{warm}, nil, false, "", false},
		{"several hosts have several buses", known, []assay.Result{several}, nil, false, "", false},
	} {
		run := assay.Run{Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "box"}}, Facts: map[string]assay.Facts{"box": c.facts}}, Results: c.results}
		for _, id := range c.rejected {
			run.Findings = append(run.Findings, assay.Finding{Rule: "pcie", Severity: assay.Rejects, Subject: id, Message: "faster than its bus"})
		}
		found := Of(run)
		if rows := found.rowsOf("memory"); len(rows) > 0 && rows[0].Figures[0].Ceiling == nil {
			t.Fatalf("%s: this memory has a ceiling: %+v", c.name, rows)
		}
		var got []Bottleneck
		for _, p := range slices.Concat(found.Verdict, found.Further) {
			if b, is := p.Says.(Bottleneck); is {
				got = append(got, b)
			}
		}
		switch {
		case !c.said && len(got) > 0:
			t.Errorf("%s: %+v, want nothing said", c.name, got)
		case c.said && (len(got) != 1 || got[0].Title != c.title || got[0].Binds() != c.binds || (got[0].Ceiling == nil) != (c.title == "")):
			t.Errorf("%s: %+v, want %q, binding %v", c.name, got, c.title, c.binds)
		}
	}
}
