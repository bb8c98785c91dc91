package migrate

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"assay"
	"assay/audit"
	"assay/internal/captured"
	"assay/lab/vms/nodes"
	"assay/stacks/migration"
	"assay/stacks/migration/trial"
)

func ownTrial(way string) assay.Trial {
	m := migration.Move{
		Kind: migration.Proxmox, Guest: nodes.VM, Home: migration.End{Host: "pve1", Address: "192.0.2.1"}, Away: migration.End{Host: "pve2", Address: "192.0.2.2"}, Copy: true,
	}
	return assay.Trial{
		ID: "migrate/qm-" + way + "@pve1/guest/mail", Probe: name, Settings: map[string]string{"way": way},
		Subject: assay.Subject{ID: "pve1/guest/mail", Kind: assay.KindGuest, Host: "pve1", Name: "mail", Peer: "pve2", Params: m.Params()},
	}
}

// Stand-in nodes that print published logs move a VM there and back, and its figures are those
// of the logs.
func TestThereAndBack(t *testing.T) {
	c := nodes.New()
	on := assay.Bench{Place: c.At("pve1"), Peer: c.At("pve2"), Scratch: assay.Scratch{Bytes: 1}}
	for _, r := range []struct {
		way, log, command string
		want              map[string]float64
	}{
		{trial.There, "pve9-shared.txt", "pve1: qm migrate 101 pve2 --online 1 --with-local-disks 1", map[string]float64{
			"migration.throughput": 806.6 * miB, "migration.transferred": 11.7 * giB, "migration.memory": 12.6 * giB, "migration.duration": 20, "migration.downtime": .059, "migration.transfer_time": 16,
		}},
		{trial.Back, "pve8-local-storage.txt", "pve2: qm migrate 101 pve1 --online 1 --with-local-disks 1", map[string]float64{
			"migration.throughput": 102.8 * miB, "migration.transferred": 4.2 * giB, "migration.downtime": .174, "migration.disk.transferred": 40 * giB, "migration.disk.duration": 137,
		}},
		{trial.There, "pve6-shared.txt", "pve1: qm migrate 101 pve2", map[string]float64{"migration.throughput": 256 * miB, "migration.downtime": .057, "migration.duration": 8}},
	} {
		c.Log = captured.Text(t, r.log)
		p, tr := New(), ownTrial(r.way)
		if _, err := p.(assay.RepeatPreparer).PrepareRepeat(t.Context(), tr, on); err != nil {
			t.Fatal(err)
		}
		got, err := p.Run(t.Context(), tr, on)
		if err != nil {
			t.Fatal(err, assay.Hint(err))
		}
		if asked := strings.Join(c.Asked(), "\n"); !strings.Contains(asked, r.command) {
			t.Errorf("it was not asked for %q:\n%s", r.command, asked)
		}
		found, err := p.Parse(got)
		if err != nil {
			t.Fatal(err)
		}
		rep := assay.Repeat{Measurements: found}
		for metric, want := range r.want {
			m := rep.Measurement(metric)
			if m == nil || math.Abs(m.Value-want) > 1e-6*want || m.Labels["way"] != r.way || m.Labels["tool"] != name || m.Labels["to"] != "" {
				t.Errorf("%s: %s is %+v, want %v", r.log, metric, m, want)
			}
		}
		if notes := p.(assay.Noter).Notes(got); len(notes) != 1 || !strings.Contains(notes[0].Text, "name its address") {
			t.Errorf("nobody asked it, and the notes are %v", notes)
		}
	}
	// A VM that is not where a repeat begins is moved there first.
	c.Node = "pve2"
	if _, err := New().(assay.RepeatPreparer).PrepareRepeat(t.Context(), ownTrial(trial.There), on); err != nil || c.Node != "pve1" {
		t.Errorf("it is on %s, %v", c.Node, err)
	}
}

// The average that Proxmox VE prints is recomputed as in logs of others.
func TestAverageIsRecomputed(t *testing.T) {
	tr := ownTrial(trial.There)
	found, err := New().Parse(assay.Transcript{Probe: name, Settings: tr.Settings, Steps: []assay.Step{{Name: stepMeasure, Output: assay.Output{Stdout: []byte(captured.Text(t, "pve9-shared.txt"))}}}})
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprint(audit.Audit(audit.Evidence{Results: []assay.Result{{Trial: tr, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: found}}}}}))
	if !strings.Contains(said, "806.6 MiB/s reported against 11.7 GiB / 16.0 s = 748.8 MiB/s") {
		t.Errorf("%s", said)
	}
}

// A refused or aborted migration is an error with the reason, and no figure.
func TestRefusedByQM(t *testing.T) {
	c := nodes.New()
	on := assay.Bench{Place: c.At("pve1"), Peer: c.At("pve2"), Scratch: assay.Scratch{Bytes: 1}}
	for why, hint := range map[string]string{
		"can't migrate local disk 'local:101/a.raw': storage is not available": "disks: copy",
		"Host key verification failed.":                                        "pvecm updatecerts",
		"online migrate failure - aborting":                                    "",
	} {
		c.Refuses, c.Times = why, 1
		tr, err := New().Run(t.Context(), ownTrial(trial.There), on)
		if err == nil || !strings.Contains(err.Error(), why) || !strings.Contains(assay.Hint(err), hint) || len(tr.Steps) != 1 {
			t.Errorf("%v (%s), want %s; %d steps", err, assay.Hint(err), why, len(tr.Steps))
		}
	}
}
