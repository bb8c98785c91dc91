package store

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"assay"
	"assay/store/pgtest"
)

// long makes the tests that kill writers and race openers run 1,000 and 200
// rounds: go test ./store -run 'Kill|Fresh' -long -timeout 30m
var long = flag.Bool("long", false, "repeat what is random many more times")

// update writes the fixture of the newest schema: see testdata/README.
var update = flag.Bool("update", false, "write the fixture of the newest schema")

// childEnv turns this test binary into a child process that runs one of roles.
const childEnv = "ASSAY_STORE_TEST_CHILD"

var roles = map[string]func(args []string) error{
	"write": writeUntilKilled,
	"fresh": openWhenTold,
	"bomb":  readBomb,
}

func TestMain(m *testing.M) {
	if role := roles[os.Getenv(childEnv)]; role != nil {
		if err := role(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	os.Exit(withState(func() int { return pgtest.Main(m) }))
}

// withState keeps the journal's key for the tests apart from the user's.
func withState(tests func() int) int {
	dir, err := os.MkdirTemp("", "assay-state-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_STATE_HOME", dir)
	return tests()
}

// child prepares a process that runs a role.
func child(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), childEnv+"="+role)
	c.Stderr = os.Stderr
	return c
}

// backend is a kind of database that can hold a store.
type backend struct {
	name  string
	empty func(t testing.TB) (where string) // a location without a database
	kills float64                           // its share of the kills in a random test
}

var (
	inFile   = backend{"sqlite", func(t testing.TB) string { return filepath.Join(t.TempDir(), "new", "assay.db") }, 1}
	onServer = backend{"postgres", func(t testing.TB) string { return pgtest.Shared(t).Database(t) }, .3}
)

// onEach runs a test on every kind of database.
func onEach(t *testing.T, f func(t *testing.T, at backend)) {
	for _, at := range []backend{inFile, onServer} {
		t.Run(at.name, func(t *testing.T) { f(t, at) })
	}
}

func (at backend) fresh(t testing.TB) *Store {
	t.Helper()
	return reopen(t, at.empty(t))
}

// of returns at's share of n.
func (at backend) of(n int) int { return max(1, int(float64(n)*at.kills)) }

// fresh opens a new file.
func fresh(t testing.TB) *Store {
	t.Helper()
	return reopen(t, filepath.Join(t.TempDir(), "assay.db"))
}

func reopen(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// must fails the test on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keep stores a whole run step by step, as a real run does.
func keep(ctx context.Context, s *Store, run assay.Run) error {
	if err := s.Begin(ctx, run); err != nil {
		return err
	}
	var trials []assay.Trial
	for _, r := range run.Results {
		trials = append(trials, r.Trial)
	}
	if err := s.AddTrials(ctx, run.ID, trials); err != nil {
		return err
	}
	for _, r := range run.Results {
		if err := s.SetScratch(ctx, run.ID, r.Trial.ID, r.Scratch); err != nil {
			return err
		}
		for _, rep := range r.Repeats {
			if err := s.AddRepeat(ctx, run.ID, r.Trial.ID, rep); err != nil {
				return err
			}
		}
	}
	if err := s.SetFindings(ctx, run.ID, run.Findings); err != nil {
		return err
	}
	return s.Finish(ctx, run.ID, run.Status, run.Elapsed, run.Notes)
}

// small returns a run with one trial and one repeat.
func small(id string, started time.Time) assay.Run {
	return assay.Run{
		ID: id, Suite: "quick", Version: "test", Started: started, Elapsed: time.Minute, Status: assay.RunDone,
		Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "alpha"}}},
		Results: []assay.Result{{
			Trial:   assay.Trial{ID: "fio/randread@alpha/directory/srv", Probe: "fio", Repeats: 1, Risk: assay.Writes},
			Repeats: []assay.Repeat{repeatNumber(1)},
		}},
	}
}

// repeatNumber returns a repeat whose every part follows from n.
func repeatNumber(n int) assay.Repeat {
	out := fmt.Sprintf("read: IOPS=%d <fast>\n\xff\x00", n)
	return assay.Repeat{
		N: n, Started: time.Unix(1_700_000_000+int64(n), 5).UTC(), Elapsed: time.Second, Outcome: assay.Done,
		Transcript: assay.Transcript{Probe: "fio", Steps: []assay.Step{{
			Name: "measure", Argv: []string{"fio", "--filename=/srv/a b\xfe"}, Output: assay.Output{Stdout: []byte(out)}}}},
		Measurements: []assay.Measurement{
			{Metric: "storage.read.iops", Value: float64(n) + .5, Unit: assay.PerSecond,
				Samples: []assay.Sample{{At: .5, Value: float64(n)}, {At: 1, Value: float64(n + 1)}}},
			{Metric: "storage.read.latency.mean", Value: 1e-6 * float64(n+1), Unit: assay.Seconds, Labels: map[string]string{"direct": "1"},
				Histogram: []assay.Bin{{Upper: 1e-6, Count: int64(n)}, {Upper: 2e-6, Count: 7}}},
		},
		Watch: &assay.Watch{Before: assay.Snapshot{Uptime: float64(n)}, ToolCPU: -1},
	}
}
