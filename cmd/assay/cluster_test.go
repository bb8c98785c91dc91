package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
)

// typed is the outcome of a command line.
type typed struct {
	status         int
	stdout, stderr string
}

// assayed runs a command line of assay in this process, without a terminal.
func assayed(ctx context.Context, db string, args ...string) typed {
	var stdout, stderr bytes.Buffer
	status := execute(ctx, append(args, "--db", db), newApp(strings.NewReader(""), &stdout, &stderr))
	return typed{status, stdout.String(), stderr.String()}
}

// slow is the rate of a link that leaves the CPUs to other tests, bit/s.
const slow = 100e6

// likeHosts returns hosts that differ only in their names.
func likeHosts(names ...string) []hosts.Host {
	var all []hosts.Host
	for _, name := range names {
		h := hosts.Standard(4)[0]
		h.Name, h.Sudo, h.Link = name, true, slow
		all = append(all, h)
	}
	return all
}

// clusterFile writes the lab's cluster.yaml with more appended.
func clusterFile(t *testing.T, l *hosts.Lab, more string) string {
	t.Helper()
	text, err := os.ReadFile(l.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	beside := "config: " + filepath.Base(l.Config())
	if !strings.Contains(string(text), beside) {
		t.Fatalf("no %q in\n%s", beside, text)
	}
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), beside, "config: "+l.Config(), 1)+more), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Two hosts share a pool and the third has its own disk: only one of the two
// measures or prepares at a time; the third does not wait.
func TestHostsThatShareAPoolTakeTurns(t *testing.T) {
	t.Parallel()
	l := hoststest.Up(t, likeHosts("left", "right", "own"))
	file := clusterFile(t, l, "resources:\n  pool: {hosts: [left, right], directories: ["+hosts.BenchDir+"]}\n")
	db := filepath.Join(t.TempDir(), "assay.db")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	got := assayed(ctx, db, "run", "-i", file, "--only", "randread-4k", "--repeats", "3", "--length", "1s", "--time-budget", "9m", "--seed", "1")
	if !slices.Contains([]int{exitFine, exitRejected, exitPartial}, got.status) {
		t.Fatalf("status %d\n%s", got.status, got.stderr)
	}
	a := &app{db: db}
	run, err := a.loadRun(ctx, []string{"latest"})
	if err != nil {
		t.Fatal(err)
	}
	st, err := a.openStore(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	busy := map[string][]span{}
	for _, r := range run.Results {
		wants := r.Trial.Subject.Host != "own"
		if slices.Contains(r.Trial.Claims, "shared/pool") != wants {
			t.Errorf("%s claims %v", r.Trial.ID, r.Trial.Claims)
		}
		if len(r.Counted()) < 2 {
			t.Errorf("%s was measured %d times", r.Trial.ID, len(r.Counted()))
		}
		for _, rep := range r.Repeats {
			tr, err := st.Transcript(ctx, run.ID, r.Trial.ID, rep.N)
			if err != nil {
				t.Fatal(err)
			}
			busy[r.Trial.Subject.Host] = append(busy[r.Trial.Subject.Host], spans(rep, tr)...)
		}
	}
	if hosts := slices.Sorted(maps.Keys(busy)); !slices.Equal(hosts, []string{"left", "own", "right"}) {
		t.Fatalf("measured on %v", hosts)
	}
	for host, all := range busy {
		if !slices.ContainsFunc(all, func(s span) bool { return strings.Contains(s.what, "prepare: ") }) {
			t.Errorf("nothing says when the space on %s was readied: %v", host, all)
		}
	}
	if a, b := overlap(busy["left"], busy["right"]); a != nil {
		t.Errorf("both are at the pool: left's %v and right's %v", *a, *b)
	}
	for _, host := range []string{"left", "right"} {
		if a, _ := overlap(busy["own"], busy[host]); a == nil {
			t.Errorf("own never measures while %s does: %v and %v", host, busy["own"], busy[host])
		}
	}
}

// span is an action between two points in time.
type span struct {
	what     string
	from, to time.Time
}

func (s span) String() string {
	const clock = "15:04:05.000"
	return s.what + " " + s.from.Format(clock) + "–" + s.to.Format(clock)
}

// spans returns a repeat and the preparation of its space.
func spans(rep assay.Repeat, tr assay.Transcript) []span {
	all := []span{{fmt.Sprint("repeat ", rep.N), rep.Started, rep.Started.Add(rep.Elapsed)}}
	for _, step := range tr.Steps {
		if strings.HasPrefix(step.Name, "prepare: ") {
			all = append(all, span{step.Name, step.Output.Started, step.Output.Started.Add(step.Output.Elapsed)})
		}
	}
	return all
}

// overlap returns a pair of spans that overlap in time.
func overlap(some, others []span) (a, b *span) {
	for _, a := range some {
		for _, b := range others {
			if a.from.Before(b.to) && b.from.Before(a.to) {
				return &a, &b
			}
		}
	}
	return nil, nil
}
