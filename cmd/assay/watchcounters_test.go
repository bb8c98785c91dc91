package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay"
)

// drives is what a round reads: names of drives, with their serial numbers and errors.
type drives map[string]struct {
	serial string
	errors float64
}

// counted stores a round that reads a host's drives and returns it.
func (w *watcher) counted(t *testing.T, id, host string, all drives) assay.Run {
	t.Helper()
	run := assay.Run{ID: id, Suite: "watch", Started: time.Now(), Status: assay.RunDone, Labels: map[string]string{"job": "watch"}}
	facts := assay.Facts{Host: host}
	for name, d := range all {
		facts.Block = append(facts.Block, assay.BlockDevice{Name: name, Kind: "disk", Serial: d.serial})
		subject := assay.Subject{ID: host + "/drive/" + name, Host: host, Name: name, Kind: assay.KindDrive}
		run.Results = append(run.Results, assay.Result{
			Trial: assay.Trial{ID: "smart/watch-health@" + subject.ID, Probe: "smart", Case: "watch-health", Subject: subject, Settings: map[string]string{"device": "/dev/" + name}},
			Repeats: []assay.Repeat{{N: 1, Started: run.Started, Outcome: assay.Done,
				Measurements: []assay.Measurement{{Metric: "smart.media_errors", Value: d.errors, Unit: assay.One}}}},
		})
	}
	run.Inventory = assay.Inventory{Hosts: []assay.Host{{Name: host}}, Facts: map[string]assay.Facts{host: facts}}
	if err := w.store.Import(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	return run
}

// Growth of an error counter is told once, whatever the other rounds in the database and
// the drive's name.
func TestGrowthOfErrorCounters(t *testing.T) {
	t.Parallel()
	type round struct {
		host string
		read drives
		says string // of it, what grew
	}
	for name, rounds := range map[string][]round{
		"two watches take turns": {
			{"a", drives{"sda": {"x", 0}}, ""}, {"b", drives{"sda": {"y", 7}}, ""},
			{"a", drives{"sda": {"x", 5}}, "sda on a grew from 0 to 5"}, {"b", drives{"sda": {"y", 7}}, ""},
			{"a", drives{"sda": {"x", 5}}, ""},
		},
		"a host was away": {
			{"a", drives{"sda": {"x", 1}}, ""}, {"b", drives{"sda": {"y", 0}}, ""}, {"b", drives{"sda": {"y", 0}}, ""},
			{"a", drives{"sda": {"x", 2}}, "sda on a grew from 1 to 2"},
		},
		"names are swapped": {
			{"a", drives{"sda": {"x", 0}, "sdb": {"y", 12}}, ""}, {"a", drives{"sda": {"y", 12}, "sdb": {"x", 0}}, ""},
			{"a", drives{"sda": {"x", 3}, "sdb": {"y", 12}}, "sda on a grew from 0 to 3"},
		},
		"a used drive replaces another": {
			{"a", drives{"sda": {"x", 0}}, ""}, {"a", drives{"sda": {"y", 12}}, ""}, {"a", drives{"sda": {"y", 13}}, "sda on a grew from 12 to 13"},
		},
		"no serial number is known": {
			{"a", drives{"sda": {"", 0}, "sdb": {"", 1}}, ""}, {"a", drives{"sda": {"", 1}, "sdb": {"", 1}}, "sda on a grew from 0 to 1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := newApp(nil, io.Discard, io.Discard)
			a.db = filepath.Join(t.TempDir(), "db")
			st, err := a.openStore(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			w := &watcher{app: a, store: st, told: tellings{}}
			for i, r := range rounds {
				shown, err := w.changes(t.Context(), w.counted(t, fmt.Sprintf("r%02d", i), r.host, r.read))
				if err != nil {
					t.Fatal(err)
				}
				var want []string
				if r.says != "" {
					want = []string{"worse: smart.media_errors of " + r.says}
				}
				if !slices.Equal(shown.lines, want) {
					t.Errorf("round %d says %q, want %q", i, shown.lines, want)
				}
			}
		})
	}
}
