package incidentview_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"assay/incident"
	"assay/incident/alike"
	"assay/incident/blame"
	"assay/incident/decide"
	"assay/incident/read"
	"assay/report/block"
	"assay/report/csv"
	"assay/report/html"
	"assay/report/incidentview"
	reportjson "assay/report/json"
	"assay/report/markdown"
	"assay/report/term"
)

var update = flag.Bool("update", false, "write the golden files")

// session is a log with times: a session lost after a port went down. A host lacks a
// record.
const session = `2026-02-22T12:00:00+0000 agent-4 kernel: igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down
2026-02-22T12:00:05+0000 agent-4 kernel:  connection1:0: ping timeout of 5 secs expired, recv timeout 5
2026-02-22T12:00:05+0000 agent-4 kernel:  connection1:0: detected conn error (1022)
2026-02-22T12:02:05+0000 agent-4 kernel:  session1: session recovery timed out after 120 secs
2026-02-22T12:02:05+0000 agent-4 kernel: sd 9:0:0:1: rejecting I/O to offline device
2026-02-22T12:02:06+0000 agent-4 kernel: I/O error, dev sdk, sector 7
2026-02-22T12:02:06+0000 agent-4 kernel: I/O error, dev sdk, sector 8
`

func document(t testing.TB, text string, rows ...incidentview.Collected) block.Document {
	t.Helper()
	r := read.New()
	if err := r.Read("dmesg.txt", "", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	log := r.Log()
	judge := blame.JudgePosted
	if len(rows) > 0 {
		judge = blame.Judge // hosts were asked
	}
	return incidentview.Build(log, judge(log), incidentview.Besides{Collected: rows})
}

// failing returns a diagnosis of Kubernetes alone.
func failing(t testing.TB) block.Document {
	t.Helper()
	r := read.New()
	if err := r.Read("kubernetes: pod shop/db-0", "node1", strings.NewReader("pod shop/db-0: CrashLoopBackOff, 7 restarts\npod shop/db-0 printed: write /data/wal: no space left on device\n")); err != nil {
		t.Fatal(err)
	}
	log := r.Log()
	return incidentview.Build(log, blame.Judge(log), incidentview.Besides{
		Pods:      []incidentview.Pod{{Name: "shop/db-0", Node: "node1", Container: "server", State: "CrashLoopBackOff", Restarts: 7, Exit: "status 1 (Error)", Volumes: []string{"/data: claim shop/db-0 (local /mnt/a)"}, Said: []string{"write /data/wal: no space left on device"}}},
		Collected: []incidentview.Collected{{Host: "kubernetes home", What: "warnings", Absent: "failed: no; to let it, have a role allow list on events"}},
	})
}

func lacking() []incidentview.Collected {
	return []incidentview.Collected{
		{Host: "agent-4", What: "clock", Told: "0.02 s ahead of this machine's (± 0.03 s)"},
		{Host: "agent-4", What: "kernel log", Lines: 7},
		{Host: "agent-4", What: "SMART", Absent: "not supported: neither smartctl nor nvme is installed"},
		{Host: "agent-5", What: "everything", Absent: "failed: connection refused"},
	}
}

func TestGoldenText(t *testing.T) {
	for name, d := range map[string]block.Document{
		"session":   document(t, session, lacking()...),
		"undecided": document(t, "[12.5] ata3.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen\n[12.6] ata3: hard resetting link\n"),
		"likely":    document(t, "Multi-Attach error for volume \"pvc-1\" Volume is already used by pod(s) db-0\n"),
		"nothing":   document(t, "all is well\n"),
		"pods":      failing(t),
	} {
		var b bytes.Buffer
		if err := term.Render(&b, d, term.Options{Width: 80}); err != nil {
			t.Fatal(err)
		}
		file := "testdata/" + name + ".txt"
		if *update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s is not what is printed: go test ./report/incidentview -update\n%s", file, b.String())
		}
	}
}

// Every voice has the verdict, a quoted line with its place, a command and what is
// absent.
func TestEveryVoiceSaysIt(t *testing.T) {
	d := document(t, session, lacking()...)
	for name, voice := range map[string]func(io.Writer, block.Document) error{
		"text": func(w io.Writer, d block.Document) error { return term.Render(w, d, term.Options{Width: 200}) },
		"html": html.Render, "markdown": markdown.Render, "json": reportjson.Render, "csv": csv.Render,
	} {
		var b bytes.Buffer
		if err := voice(&b, d); err != nil {
			t.Fatal(err)
		}
		wants := []string{"dmesg.txt:1", "NIC Link is Down", "not supported: neither smartctl nor nvme is installed", "agent-5"}
		if name != "csv" { // tables alone
			wants = append(wants, "etwork link that went down", "ethtool")
		}
		for _, want := range wants {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, b.String())
			}
		}
	}
}

func TestJSONHasTheVerdict(t *testing.T) {
	var b bytes.Buffer
	if err := reportjson.Render(&b, document(t, session)); err != nil {
		t.Fatal(err)
	}
	var said struct {
		Verdict struct {
			Cause struct {
				Layer, How, Rule string
			}
		}
		Events []struct {
			Kind   string
			Count  int
			Source struct{ Line int }
		}
	}
	if err := json.Unmarshal(b.Bytes(), &said); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(said.Verdict.Cause); got != "{network likely nic}" {
		t.Errorf("verdict %s", got)
	}
	if n := len(said.Events); n != 5 || said.Events[n-1].Count != 2 || said.Events[n-1].Source.Line != 6 {
		t.Errorf("events %+v", said.Events)
	}
}

func TestNoLineOfATerminalIsTooLong(t *testing.T) {
	d := document(t, session, lacking()...)
	for width := 40; width <= 200; width += 7 {
		var b bytes.Buffer
		if err := term.Render(&b, d, term.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(b.String(), "\n") {
			code := strings.HasPrefix(l, "  ethtool") || strings.HasPrefix(l, "  lsblk") // copied by users, so not wrapped
			if n := term.Width(l); n > width && !code {
				t.Fatalf("%d columns of %d: %s", n, width, l)
			}
		}
	}
}

// Each read has a line with its effect on the verdict and its result; beforehand, a line
// with its cost.
func TestWhatWasMeasuredIsSaid(t *testing.T) {
	read := decide.Read{Host: "pve4", Device: "sdk", What: "read 9 blocks", Shows: "an error now is its own", Bytes: 36864, Longest: time.Minute}
	said := strings.Join(incidentview.Announced([]decide.Read{read}), "\n")
	if want := "1 read, at most 36.9 kB and 1m in all; nothing is written.\n  read 9 blocks (at most 36.9 kB, at most 1m): an error now is its own."; said != want {
		t.Errorf("%s\nwant\n%s", said, want)
	}
	d := incidentview.Build(incident.Log{}, blame.Verdict{}, incidentview.Besides{Measured: []decide.Measured{
		{Read: read, Shown: decide.Shown{Says: "1 of 9 blocks can't be read."}, Answer: decide.Confirmed},
		{Read: read, Shown: decide.Shown{Absent: "failed: run as root"}, Answer: decide.NotMeasured},
	}})
	var b bytes.Buffer
	if err := markdown.Render(&b, d); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"What was measured", "confirmed", "1 of 9 blocks can't be read.", "not measured", "Did not read 9 blocks: failed: run as root."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

// Changes since an earlier run come with the run and its date; no change is stated too,
// and so is why facts were not compared.
func TestWhatChangedIsSaid(t *testing.T) {
	then := time.Date(2026, 2, 20, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		since incidentview.Since
		want  []string
	}{
		{incidentview.Since{}, nil},
		{incidentview.Since{Run: "r1", Started: then, Before: true, Facts: []string{"pve1: kernel was 1, is 2"}, Figures: []string{"pve1: reads: +900 %"}},
			[]string{"What changed since it was well", "run r1 of 2026-02-20 03:04:05", "pve1: kernel was 1, is 2", "pve1: reads: +900 %", "Leads, and no causes"}},
		{incidentview.Since{Run: "r1", Started: then}, []string{"What changed since the newest run", "as they were then"}},
		{incidentview.Since{Run: "r1", Started: then, Before: true, Absent: "a recording doesn't have them"}, []string{"were not compared: a recording doesn't have them."}},
	} {
		var b bytes.Buffer
		if err := term.Render(&b, incidentview.Build(incident.Log{}, blame.Verdict{}, incidentview.Besides{Since: c.since}), term.Options{Width: 200}); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("no %q in\n%s", want, &b)
			}
		}
		if said := strings.Contains(b.String(), "What changed"); said != (c.want != nil) {
			t.Errorf("%+v:\n%s", c.since, &b)
		}
	}
}

// Known incidents are listed if they are similar enough, at most three.
func TestKnownIncidentsAreListed(t *testing.T) {
	match := func(id string, like float64) alike.Match {
		return alike.Match{Incident: alike.Incident{ID: id, Source: "thread of " + id, Layers: []incident.Layer{incident.Drive, incident.Link}, Cause: "It was " + id + "."}, Like: like}
	}
	all := []alike.Match{match("a", 0.9), match("b", 0.8), match("c", 0.7), match("d", 0.6)}
	for _, c := range []struct {
		given []alike.Match
		want  int
	}{{nil, 0}, {all[:1], 1}, {all, 3}, {[]alike.Match{match("far", 0.29)}, 0}, {[]alike.Match{match("a", 0.3), match("far", 0.29)}, 1}} {
		d := incidentview.Build(incident.Log{}, blame.Verdict{}, incidentview.Besides{Alike: c.given})
		if got := len(d.Data.(incidentview.Data).Alike); got != c.want {
			t.Errorf("%d of %d are listed, want %d", got, len(c.given), c.want)
		}
		var b bytes.Buffer
		if err := markdown.Render(&b, d); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if told := strings.Count(text, "thread of"); told != c.want {
			t.Errorf("%d are shown, want %d:\n%s", told, c.want, text)
		}
		if c.want > 0 && !strings.Contains(text, "drive; cable or link") {
			t.Errorf("both layers are to be shown:\n%s", text)
		}
	}
}

// Events have a lane for each kind and device, with a stretch for each of its events:
// no voice draws other lines of counts.
func TestEventsAreDrawnInLanes(t *testing.T) {
	var lanes []block.Lanes
	var look func(all block.Blocks)
	look = func(all block.Blocks) {
		for _, b := range all {
			switch b := b.(type) {
			case block.Details:
				look(b.Blocks)
			case block.Lanes:
				lanes = append(lanes, b)
			case block.Timeline:
				t.Errorf("a time line %q", b.Title)
			}
		}
	}
	look(document(t, session).Blocks)
	if len(lanes) != 1 || len(lanes[0].Lanes) < 4 {
		t.Fatalf("%+v", lanes)
	}
	for _, l := range lanes[0].Lanes {
		for _, s := range l.Stretches {
			if _, _, ok := lanes[0].Ends(s); !ok {
				t.Errorf("%s: %+v cannot be drawn", l.Title, s)
			}
		}
	}
	last := lanes[0].Lanes[len(lanes[0].Lanes)-1]
	if last.Words != "2 lines" || len(last.Stretches) != 1 || last.Stretches[0].From != 126 {
		t.Errorf("%+v", last)
	}

	// Hosts are told apart.
	lanes = nil
	look(document(t, "Nov 27 10:00:00 pve1 kernel: nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0xffff\n"+
		"Nov 27 10:00:07 pve2 kernel: nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0xffff\n").Blocks)
	if len(lanes) != 1 || len(lanes[0].Lanes) != 2 || !strings.HasPrefix(lanes[0].Lanes[0].Title, "pve1: ") || !strings.HasPrefix(lanes[0].Lanes[1].Title, "pve2: ") {
		t.Errorf("%+v", lanes)
	}

	// Events of one moment have some room around them.
	lanes = nil
	look(document(t, "[12.5] ata3.00: exception Emask 0x0 SAct 0x1 SErr 0x0 action 0x6 frozen\n[12.5] nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0xffff\n").Blocks)
	if len(lanes) != 1 || !(lanes[0].From < 0) || !(lanes[0].To > 0) {
		t.Errorf("%+v", lanes)
	}
}
