package virsh

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/captured"
	"assay/stacks/migration/trial"
)

// pings returns the output of ping -D of iputils 20221126, with answers at
// these ms.
func pings(sent int, at ...int) string {
	var b strings.Builder
	b.WriteString("PING 192.0.2.9 (192.0.2.9) 56(84) bytes of data.\n")
	for i, ms := range at {
		fmt.Fprintf(&b, "[1795653845.%06d] 64 bytes from 192.0.2.9: icmp_seq=%d ttl=64 time=0.152 ms\n", ms*1000, i+1)
		if i == 10 {
			b.WriteString("[1795653845.500000] no answer yet for icmp_seq=12\n")
		}
	}
	fmt.Fprintf(&b, "\n--- 192.0.2.9 ping statistics ---\n%d packets transmitted, %d received, 0%% packet loss, time 226ms\nrtt min/avg/max/mdev = 0.005/0.016/0.152/0.024 ms\n", sent, len(at))
	return b.String()
}

func every2(from, n int) (at []int) {
	for i := range n {
		at = append(at, from+2*i)
	}
	return at
}

func transcript(t testing.TB, ping string) assay.Transcript {
	step := func(name, text string) assay.Step {
		return assay.Step{Name: name, Output: assay.Output{Stdout: []byte(text)}}
	}
	tr := assay.Transcript{Probe: name, Settings: map[string]string{"way": trial.There}, Steps: []assay.Step{step(trial.StepLimit, "300\n\n"), step(trial.StepMigrate, "")}}
	if ping != "" {
		tr.Steps = append(tr.Steps, step(trial.StepPing, ping))
	}
	tr.Steps = append(tr.Steps, step(trial.StepMeasure, captured.Text(t, "completed-9.0.0.txt")))
	return tr
}

func TestParse(t *testing.T) {
	got, err := New().Parse(transcript(t, pings(130, append(every2(0, 40), every2(180, 40)...)...)))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"migration.throughput": 110.255 * (1 << 20), "migration.transferred": 78.787 * (1 << 20), "migration.duration": 1.393, "migration.downtime": .077,
		"migration.downtime.seen": .102, "migration.ping.lost": 50, "migration.memory": 256.375 * (1 << 20), "migration.transfer_time": 1.392,
		"migration.dirty_rate": 0, "migration.zero": 45659 * 4096, "migration.downtime.limit": .3,
	}
	for _, m := range got {
		if math.Abs(m.Value-want[m.Metric]) > 1e-6*math.Max(want[m.Metric], 1) {
			t.Errorf("%s is %v, want %v", m.Metric, m.Value, want[m.Metric])
		}
		if m.Labels["tool"] != name || m.Labels["way"] != trial.There || m.Line == 0 {
			t.Errorf("%s: %v, line %d", m.Metric, m.Labels, m.Line)
		}
		if m.Metric == "migration.downtime.seen" && m.Labels["interval"] != "0.002" {
			t.Errorf("the interval is %s", m.Labels["interval"])
		}
		delete(want, m.Metric)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	if notes := New().(assay.Noter).Notes(transcript(t, "")); len(notes) != 1 {
		t.Errorf("nobody pinged, and the notes are %v", notes)
	}
}

// asked adds the observations of what answers inside, which stood still from .172 s
// on.
func asked(tr assay.Transcript) assay.Transcript {
	const base = 1795653845
	var b strings.Builder
	line := func(form string, values ...any) { fmt.Fprintf(&b, form+"\n", values...) }
	line("udp answers\ntcp answers")
	for at := -1.; at < 2; at += .1 {
		if theirs := 7 + at; at < .05 || at > .2 {
			if at > .2 {
				theirs -= .1
			}
			line("clock %.6f %.6f 0.000200", base+at, theirs)
		}
	}
	line("udp gap %d.078000 %d.180000\ntcp gap %d.078000 %d.300000", base, base, base, base)
	line("tcp broke %d.290000 reset 3", base)
	line("udp asked 3000 2950 0.001000 0.102000\ntcp asked 3000 2990 0.001000 0.222000\npaused 0.002000")
	line("inside disk ext4\ninside write 6.500000 20 6.400000 0.001500\ninside write 7.200000 20 7.070000 0.012000\ninside end")
	tr.Steps = slices.Insert(tr.Steps, len(tr.Steps)-1,
		assay.Step{Name: trial.StepInside, Output: assay.Output{Stdout: []byte("ready 40000 40001 0123456789abcdef\n")}},
		assay.Step{Name: trial.StepObserve, Output: assay.Output{Stdout: []byte(b.String())}})
	return tr
}

// UDP, TCP and the disk inside are reported along with ping.
func TestParseInside(t *testing.T) {
	tr := asked(timed(transcript(t, pings(130, append(every2(0, 40), every2(180, 40)...)...))))
	found, err := New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	rep := assay.Repeat{Measurements: found}
	for metric, want := range map[string]float64{
		"migration.downtime.seen": .102, "migration.downtime.seen.udp": .102, "migration.downtime.seen.tcp": .222, "migration.udp.lost": 50,
		"migration.tcp.lost": 3, "migration.tcp.broken": 1, "migration.clock.stood": .1, "migration.io.longest": .112, "migration.io.longest.guest": .012,
		"migration.io.before": .0015, "migration.observer.pause": .002,
	} {
		if m := rep.Measurement(metric); m == nil || math.Abs(m.Value-want) > 1e-4 {
			t.Errorf("%s: %+v, want %v", metric, m, want)
		}
	}
	var said []string
	for _, m := range rep.Moments() {
		said = append(said, string(m.What)+" "+m.How)
	}
	for _, want := range []string{"last answer ping", "last answer UDP", "answer TCP", "write began ", "written "} {
		if !slices.Contains(said, want) {
			t.Errorf("no %q among %q", want, said)
		}
	}
	if notes := New().(assay.Noter).Notes(tr); len(notes) > 0 {
		t.Errorf("%v", notes)
	}
}

// If nothing in the guest answers it is only pinged, and a note says why.
func TestPingAlone(t *testing.T) {
	for says, steps := range map[string][]assay.Step{
		"has no perl":    {{Name: trial.StepInside, Output: assay.Output{Exit: 127}}},
		"agent does not": {{Name: trial.StepInside, Output: assay.Output{Exit: 255, Stderr: []byte("domain web: its guest agent does not answer")}}},
		"a firewall may": {
			{Name: trial.StepInside, Output: assay.Output{Stdout: []byte("ready 40000 40001 0123456789abcdef\n")}},
			{Name: trial.StepObserve, Output: assay.Output{Exit: 255, Stderr: []byte("a firewall may drop it")}},
		},
	} {
		tr := transcript(t, pings(130, append(every2(0, 40), every2(180, 40)...)...))
		tr.Steps = append(steps, tr.Steps...)
		found, err := New().Parse(tr)
		rep := assay.Repeat{Measurements: found}
		if err != nil || rep.Measurement("migration.downtime.seen") == nil || rep.Measurement("migration.downtime.seen.udp") != nil {
			t.Errorf("%s: %v, %v", says, found, err)
		}
		if notes := New().(assay.Noter).Notes(tr); len(notes) != 1 || !strings.Contains(notes[0].Text, says) {
			t.Errorf("%s: %v", says, notes)
		}
	}
}

// timed adds the start of the migration, observed by a host whose clock is an hour ahead.
func timed(tr assay.Transcript) assay.Transcript {
	tr.Step(trial.StepMigrate).Output.Started, tr.Step(trial.StepMigrate).Output.Elapsed = time.UnixMilli(1795650245050), 140*time.Millisecond
	tr.Steps = append(tr.Steps, assay.Step{Name: trial.StepClock + "kvm1", Output: assay.Output{
		Stdout: []byte("1795653840.002\n"), Started: time.UnixMilli(1795650240000), Elapsed: 4 * time.Millisecond}})
	return tr
}

// When the guest did not answer, by the clock of the requester.
func TestMoments(t *testing.T) {
	tr := timed(transcript(t, pings(130, append(every2(0, 40), every2(180, 40)...)...)))
	found, err := New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	want := []assay.Moment{
		{What: assay.Migrating}, {What: assay.LastAnswer, By: "kvm1", How: "ping", At: .028, Error: .002}, {What: assay.Answer, By: "kvm1", How: "ping", At: .13, Error: .002},
		{What: assay.Migrated, At: .14},
	}
	got := assay.Repeat{Measurements: found}.Moments()
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, m := range got {
		if m.What != want[i].What || m.By != want[i].By || m.How != want[i].How || m.Error != want[i].Error || math.Abs(m.At-want[i].At) > 1e-5 {
			t.Errorf("%+v, want %+v", m, want[i])
		}
	}
}

// Pings that show nothing are an error, never a downtime of zero.
func TestPingsThatShowNothing(t *testing.T) {
	for says, text := range map[string]string{
		"0 answers":         pings(100),
		"5 answers":         pings(100, every2(0, 5)...),
		"clock jumped back": pings(100, append(every2(500, 40), every2(0, 40)...)...),
		"no statistics":     strings.Replace(pings(40, every2(0, 40)...), "packets transmitted", "", 1),
	} {
		if got, err := New().Parse(transcript(t, text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, %v: want %s", got, err, says)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(captured.Text(f, "completed-9.0.0.txt"), pings(130, every2(0, 40)...))
	f.Fuzz(func(t *testing.T, report, ping string) {
		tr := assay.Transcript{Probe: name, Steps: []assay.Step{
			{Name: trial.StepPing, Output: assay.Output{Stdout: []byte(ping)}}, {Name: trial.StepMeasure, Output: assay.Output{Stdout: []byte(report)}},
		}}
		got, err := New().Parse(tr)
		for _, m := range got {
			if err == nil && (math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || m.Value < 0) {
				t.Errorf("%+v", m)
			}
		}
	})
}

// A load is reported before, during and after.
func TestParseLoad(t *testing.T) {
	tr := asked(timed(transcript(t, pings(130, append(every2(0, 40), every2(180, 40)...)...))))
	tr.Settings["load"] = "1000000"
	seen := tr.Step(trial.StepObserve)
	text := string(seen.Output.Stdout) + "inside memory 4000000\n"
	for guest := 5.; guest < 10; guest += .1 {
		text += fmt.Sprintf("inside load %.6f %.0f\n", guest, 1e6*guest)
	}
	seen.Output.Stdout = []byte(text)
	found, err := New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	rep := assay.Repeat{Measurements: found}
	// The migration took 140 ms, with the guest paused for 100.
	for metric, want := range map[string][2]float64{"before": {.99e6, 1.01e6}, "during": {.1e6, .5e6}, "after": {.9e6, 1.01e6}, "memory": {4e6, 4e6}} {
		m := rep.Measurement("migration.load." + metric)
		if m == nil || m.Value < want[0] || m.Value > want[1] || m.Labels["load"] != "1000000" {
			t.Errorf("%s: %+v, want %v", metric, m, want)
		}
	}
}

// Disk data is separate from memory, and its time does not count as sending memory.
func TestParseDisks(t *testing.T) {
	tr := transcript(t, "")
	tr.Steps = append(tr.Steps, assay.Step{Name: trial.StepCopied, Output: assay.Output{Stdout: []byte("Job type:         Unbounded   \nOperation:        Outgoing migration\n" +
		"Time elapsed:     1159         ms\nMemory processed: 2.253 MiB\nMemory total:     256.375 MiB\nFile processed:   48.000 MiB\nFile remaining:   0.000 B\n")}})
	found, err := New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	rep := assay.Repeat{Measurements: found}
	for metric, want := range map[string]float64{
		"migration.disk.transferred": 48 << 20, "migration.disk.duration": 1.159, "migration.transferred": 78.787 * (1 << 20), "migration.transfer_time": 1.392 - 1.159,
	} {
		if m := rep.Measurement(metric); m == nil || math.Abs(m.Value-want) > 1e-6*want {
			t.Errorf("%s: %+v, want %v", metric, m, want)
		}
	}
}
