package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/run/session"
)

// runEvents runs assay with --format json and returns its events; stdout must
// be one document.
func runEvents(t *testing.T, args ...string) []eventLine {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	args = append([]string{"run", "--format", "json", "--db", filepath.Join(t.TempDir(), "assay.db"), "--seed", "1"}, args...)
	code := execute(ctx, args, newApp(nil, &stdout, &stderr))
	if !slices.Contains([]int{exitFine, exitRejected, exitPartial}, code) {
		t.Fatalf("exit status %d\n%s", code, &stderr)
	}
	if !json.Valid(stdout.Bytes()) {
		t.Errorf("stdout is not one document:\n%s", &stdout)
	}
	var all []eventLine
	for n, line := range strings.Split(strings.TrimSuffix(stderr.String(), "\n"), "\n") {
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		var e eventLine
		if err := dec.Decode(&e); err != nil || dec.More() {
			t.Fatalf("line %d is not one event (%v): %s", n+1, err, line)
		}
		all = append(all, e)
	}
	checkEvents(t, all)
	return all
}

// checkEvents checks that a stream keeps its promises.
func checkEvents(t *testing.T, all []eventLine) {
	t.Helper()
	first, last := all[0], all[len(all)-1]
	if first.Event != "plan" || first.Suite == "" || first.Slots == 0 || first.Estimate <= 0 || len(first.Hosts) == 0 {
		t.Errorf("the first is %+v", first)
	}
	if last.Event != "over" || last.Done != first.Slots || last.Remaining != 0 {
		t.Errorf("the last is %+v, of %d", last, first.Slots)
	}
	running, made := map[string]bool{}, map[string]bool{}
	done, at := 0, 0.
	for _, e := range all {
		if e.Of != first.Slots || e.Done < done || e.At < at || e.Remaining < 0 {
			t.Errorf("counts go wrong: %+v after %d done at %g", e, done, at)
		}
		done, at = e.Done, e.At
		if e.Event != "begin" && e.Event != "end" {
			continue
		}
		key := fmt.Sprint(e.Trial, " ", *e.Repeat)
		if e.Host == "" || e.Subject == "" || e.Repeats == 0 || !strings.HasPrefix(e.Trial, e.Case+"@") || *e.Repeat > e.Repeats {
			t.Errorf("what is missing here? %+v", e)
		}
		if e.Event == "begin" && made[key] || running[key] != (e.Event == "end") {
			t.Errorf("%s of %s out of order", e.Event, key)
		}
		running[key], made[key] = e.Event == "begin", true
		if e.Event == "end" && e.Outcome == "done" && len(e.Figures) == 0 {
			t.Errorf("no figures: %+v", e)
		}
	}
	for key, still := range running {
		if still {
			t.Errorf("%s has no end", key)
		}
	}
	if len(made) != first.Slots {
		t.Errorf("%d repeats were made, of %d", len(made), first.Slots)
	}
}

// Messages before the plan are events in JSON, and lines otherwise.
func TestNotesBeforeThePlan(t *testing.T) {
	event := func(kind session.EventKind, text string) session.Event {
		return session.Event{Progress: session.Progress{Kind: kind, Text: text}}
	}
	problem := event(session.EventProblem, "host pve1: no root")
	problem.Err = assay.WithHint("be root", "host pve1: no root")
	all := []session.Event{event(session.EventNote, "removed <a>"), event(session.EventStep, "sd: waiting for pod"), problem}

	var said bytes.Buffer
	a := &app{stderr: stream{&said}, format: formatText}
	tell := a.follow()
	for _, e := range all {
		tell(e)
	}
	if want := "note: removed <a>\nsd: waiting for pod\nassay: host pve1: no root\nhint: be root\n"; said.String() != want {
		t.Errorf("%q, want %q", said.String(), want)
	}
	said.Reset()
	a.format = formatJSON
	tell = a.follow()
	for _, e := range all {
		tell(e)
	}
	for _, want := range []string{"removed <a>", "sd: waiting for pod", "host pve1: no root; be root"} {
		line, err := said.ReadString('\n')
		var e eventLine
		if err != nil || json.Unmarshal([]byte(line), &e) != nil || e.Event != "note" || e.Text != want {
			t.Errorf("%q, %v: want a note %q", line, err, want)
		}
	}
}

func TestEventsOfOneHost(t *testing.T) {
	recording, err := filepath.Abs("testdata/recordings/quick.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	all := runEvents(t, "--suite", "quick", "--time-budget", "9s", "--repeats", "1", "--dir", recordedDir, "--replay", recording)
	kinds := map[string]int{}
	for _, e := range all {
		kinds[e.Event]++
	}
	for kind, want := range map[string]int{"plan": 1, "prepare": 1, "begin": 3, "end": 3, "clean-up": 1, "over": 1} {
		if kinds[kind] != want {
			t.Errorf("%d events %q, want %d", kinds[kind], kind, want)
		}
	}
	i := slices.IndexFunc(all, func(e eventLine) bool { return e.Event == "end" && strings.HasPrefix(e.Case, "dd/read") })
	if f := all[i].Figures; f[0].Unit == "" || f[0].Value == nil || *f[0].Value <= 0 {
		t.Errorf("figures %+v", f)
	}
}

// Of three real hosts one is down: the others run at once, and links name both
// their ends.
func TestEventsOfACluster(t *testing.T) {
	t.Parallel()
	lab := hoststest.Up(t, hosts.Standard(3))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if err := lab.Break(ctx, "host3", hosts.PowerOff); err != nil {
		t.Fatal(err)
	}
	all := runEvents(t, "-i", lab.Cluster(), "--suite", "cluster", "--time-budget", "5m", "--length", "1s", "--repeats", "1", "--only", "cpu-1,path-mtu")
	if got := all[0].Hosts; !slices.Equal(got, []string{"host1", "host2", "host3"}) {
		t.Errorf("hosts %v", got)
	}
	if e := all[1]; e.Event != "gone" || e.Host != "host3" || e.Text == "" {
		t.Errorf("after the plan came %+v, want that host3 is down", e)
	}
	links, hosts := 0, map[string]bool{}
	for _, e := range all {
		if e.Event == "end" {
			hosts[e.Host] = true
		}
		if e.Event == "end" && e.Case == "iperf3/path-mtu" {
			links++
			if e.Peer == "" || e.Peer == e.Host || e.Peer == "host3" {
				t.Errorf("a way from %q to %q", e.Host, e.Peer)
			}
		}
	}
	if links == 0 || len(hosts) != 2 {
		t.Errorf("%d links, figures of %v", links, hosts)
	}
}
