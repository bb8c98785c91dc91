package store

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay"
)

// writeUntilKilled runs in a child: two goroutines add repeats to the run
// args[1] of the database args[0], and print each repeat to stdout once it is
// stored. It ends after args[2] repeats for each.
func writeUntilKilled(args []string) error {
	var most int
	fmt.Sscan(args[2], &most)
	ctx := context.Background()
	s, err := Open(ctx, args[0])
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Begin(ctx, assay.Run{ID: args[1], Started: time.Now()}); err != nil {
		return err
	}
	if err := s.AddTrials(ctx, args[1], []assay.Trial{{ID: "t0"}, {ID: "t1"}}); err != nil {
		return err
	}
	errs := make(chan error, 2)
	for _, trial := range []string{"t0", "t1"} {
		go func() {
			for n := 1; n <= most; n++ {
				if err := s.AddRepeat(ctx, args[1], trial, repeatNumber(n)); err != nil {
					errs <- err
					return
				}
				fmt.Printf("%s %d\n", trial, n) // single write: lines do not mix
			}
			errs <- nil
		}()
	}
	for range 2 {
		if err := <-errs; err != nil {
			return err
		}
	}
	return s.Finish(ctx, args[1], assay.RunDone, 0, nil)
}

type acknowledged struct {
	trial string
	n     int
}

// acknowledgements reads a writer's output, and calls after for each line.
func acknowledgements(r io.Reader, after func(count int)) (all []acknowledged) {
	for lines := bufio.NewScanner(r); lines.Scan(); after(len(all)) {
		var a acknowledged
		if _, err := fmt.Sscanf(lines.Text(), "%s %d", &a.trial, &a.n); err == nil {
			all = append(all, a)
		}
	}
	return all
}

// A writer is killed (SIGKILL) while it works, again and again, on one
// database: everything it acknowledged is there, whole. This proves that
// nothing depends on the process; independence from the page cache rests on
// synchronous=FULL, which TestCommitsAreSynchronous checks.
func TestKilledWriterLosesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		rounds := 30
		if *long {
			rounds = 1000
		}
		path := at.empty(t)
		seed := uint64(time.Now().UnixNano())
		random := rand.New(rand.NewPCG(seed, 1))
		stored, cut := 0, 0
		for round := range at.of(rounds) {
			run := fmt.Sprintf("run-%d", round)
			c := child(t, "write", path, run, "100000")
			out, err := c.StdoutPipe()
			must(t, err)
			must(t, c.Start())
			last := 1 + random.IntN(12)
			acks := acknowledgements(out, func(count int) {
				if count == last {
					// Any moment in the next commits is fine: this only varies it.
					time.AfterFunc(time.Duration(random.IntN(4000))*time.Microsecond, func() { c.Process.Kill() })
				}
			})
			if err := c.Wait(); err == nil {
				t.Fatalf("round %d, seed %d: the writer ended before it was killed", round, seed)
			}
			inflight := checkWhole(t, path, run, acks)
			stored, cut = stored+len(acks), cut+inflight
			if t.Failed() {
				t.Fatalf("round %d, seed %d", round, seed)
			}
		}
		t.Logf("%d kills: %d acknowledged repeats, all there; %d more were stored but not yet acknowledged", at.of(rounds), stored, cut)
	})
}

// checkWhole fails the test unless the run holds every acknowledged repeat, and
// every repeat it holds is whole. It returns how many were not acknowledged.
func checkWhole(t *testing.T, path, run string, acks []acknowledged) (more int) {
	t.Helper()
	s, err := Open(context.Background(), path)
	must(t, err)
	defer s.Close()
	if !s.dialect.shared() {
		var verdict string
		must(t, s.reader.QueryRow("PRAGMA integrity_check").Scan(&verdict))
		if verdict != "ok" {
			t.Errorf("integrity check: %s", verdict)
		}
	}
	there := map[acknowledged]bool{}
	for _, r := range mustLoad(t, s, run).Results {
		for _, got := range r.Repeats {
			want := repeatNumber(got.N)
			got.Transcript, err = s.Transcript(context.Background(), run, r.Trial.ID, got.N)
			must(t, err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s of %s is not whole:\n%s", r.Trial.ID, run, diff)
			}
			there[acknowledged{r.Trial.ID, got.N}] = true
		}
	}
	for _, a := range acks {
		if !there[a] {
			t.Errorf("%s: repeat %d of %s was acknowledged and is lost", run, a.n, a.trial)
		}
	}
	return len(there) - len(acks)
}

func TestCommitsAreSynchronous(t *testing.T) {
	s := fresh(t)
	var mode string
	var level, keys int
	must(t, s.writer.QueryRow("PRAGMA journal_mode").Scan(&mode))
	must(t, s.writer.QueryRow("PRAGMA synchronous").Scan(&level))
	must(t, s.writer.QueryRow("PRAGMA foreign_keys").Scan(&keys))
	const full = 2
	if mode != "wal" || level != full || keys != 1 {
		t.Errorf("journal_mode %s, synchronous %d, foreign_keys %d", mode, level, keys)
	}
}

// Two processes with two goroutines each, and two goroutines here, write to
// one database at once.
func TestWritersTakeTurns(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		const each = 25
		path := at.empty(t)
		ctx, s := context.Background(), reopen(t, path)
		var wg sync.WaitGroup
		acks := twoWriters(t, &wg, path, each)
		must(t, s.Begin(ctx, assay.Run{ID: "here"}))
		must(t, s.AddTrials(ctx, "here", []assay.Trial{{ID: "t0"}, {ID: "t1"}}))
		for _, trial := range []string{"t0", "t1"} {
			wg.Go(func() {
				for n := 1; n <= each; n++ {
					if err := s.AddRepeat(ctx, "here", trial, repeatNumber(n)); err != nil {
						t.Error(err)
					}
					if _, err := s.Load(ctx, "here"); err != nil { // readers do not interfere
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		for i := range acks {
			if len(acks[i]) != 2*each {
				t.Errorf("child %d stored %d repeats, want %d", i, len(acks[i]), 2*each)
			}
			checkWhole(t, path, fmt.Sprintf("child-%d", i), acks[i])
		}
		if got, want := rowsOf(t, s, "repeat"), 6*each; got != want {
			t.Errorf("%d repeats, want %d", got, want)
		}
		if got, want := rowsOf(t, s, "measurement"), 12*each; got != want {
			t.Errorf("%d measurements, want %d", got, want)
		}
	})
}

// twoWriters starts two processes that each write a run, child-0 and child-1, with
// that many repeats per trial. Their acknowledgements are there when wg is done.
func twoWriters(t *testing.T, wg *sync.WaitGroup, path string, each int) [][]acknowledged {
	t.Helper()
	acks := make([][]acknowledged, 2)
	for i := range acks {
		c := child(t, "write", path, fmt.Sprintf("child-%d", i), fmt.Sprint(each))
		out, err := c.StdoutPipe()
		must(t, err)
		must(t, c.Start())
		wg.Go(func() {
			acks[i] = acknowledgements(out, func(int) {})
			if err := c.Wait(); err != nil {
				t.Errorf("child %d: %v", i, err)
			}
		})
	}
	return acks
}

// openWhenTold runs in a child: it prints that it is ready, waits for a line,
// opens the database args[0] and begins the run args[1].
func openWhenTold(args []string) error {
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	s, err := Open(context.Background(), args[0])
	if err != nil {
		return err
	}
	if err := s.Begin(context.Background(), assay.Run{ID: args[1]}); err != nil {
		return err
	}
	return s.Close()
}

func TestFreshDatabaseOpenedByManyAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		rounds := 8
		if *long {
			rounds = 200
		}
		const openers = 4
		for range at.of(rounds) {
			path := at.empty(t)
			var gates []io.WriteCloser
			var children []*exec.Cmd
			for i := range openers {
				c := child(t, "fresh", path, fmt.Sprintf("run-%d", i))
				gate, err := c.StdinPipe()
				must(t, err)
				out, err := c.StdoutPipe()
				must(t, err)
				must(t, c.Start())
				if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
					t.Fatal(err)
				}
				gates, children = append(gates, gate), append(children, c)
			}
			for _, g := range gates {
				io.WriteString(g, "go\n")
			}
			for i, c := range children {
				if err := c.Wait(); err != nil {
					t.Errorf("opener %d: %v", i, err)
				}
			}
			runs, err := reopen(t, path).Runs(context.Background())
			must(t, err)
			if len(runs) != openers {
				t.Fatalf("%d runs, want %d", len(runs), openers)
			}
		}
	})
}
