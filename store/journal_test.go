//go:build linux

package store

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"assay"
)

func TestJournalHoldsReceiptsUntilStruck(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		owner := Owner{PID: 42, Start: "123", Boot: "b", Run: "r"}
		first := assay.Receipt{ID: "one", Volume: "dir", Host: "alpha", Subject: "alpha/directory//srv/a b",
			Bytes: 1 << 40, Names: map[string]string{"file": "/srv/a b/assay-one\xc3\xa9"}}
		before := time.Now()
		must(t, s.Journal(ctx, first, owner))
		must(t, s.Journal(ctx, assay.Receipt{ID: "two"}, owner))
		if err := s.Journal(ctx, assay.Receipt{ID: "one"}, owner); !errors.Is(err, ErrExists) {
			t.Errorf("a receipt twice: %v", err)
		}
		// Another process reads what a dead one left behind.
		must(t, s.Close())
		s = reopen(t, s.dialect.name())
		left, err := s.Outstanding(ctx)
		must(t, err)
		if len(left) != 2 || left[1].Receipt.ID != "two" {
			t.Fatalf("outstanding: %+v", left)
		}
		if diff := cmp.Diff(first, left[0].Receipt); diff != "" {
			t.Error(diff)
		}
		if left[0].Owner != owner {
			t.Errorf("owner %+v", left[0].Owner)
		}
		if since := left[0].Since; since.Before(before.Truncate(time.Microsecond)) || since.After(time.Now()) {
			t.Errorf("since %v", since)
		}
		must(t, s.Strike(ctx, "one"))
		must(t, s.Strike(ctx, "one"))
		left, err = s.Outstanding(ctx)
		must(t, err)
		if len(left) != 1 || left[0].Receipt.ID != "two" {
			t.Errorf("outstanding after strike: %+v", left)
		}
	})
}

func TestClaim(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		s, ctx := at.fresh(t), context.Background()
		living := func(Owner) bool { return true }
		dead := func(Owner) bool { return false }
		a, b := Owner{PID: 4711, Start: "1", Boot: "x", Run: "run-a"}, Owner{PID: 4712, Start: "2", Boot: "x", Run: "run-b"}

		must(t, s.Claim(ctx, "alpha", a, living))
		must(t, s.Claim(ctx, "alpha", a, living)) // what it has, it keeps
		must(t, s.Claim(ctx, "beta", b, living))

		err := s.Claim(ctx, "alpha", b, living)
		if !errors.Is(err, assay.ErrBusy) {
			t.Fatalf("a claimed host: %v", err)
		}
		for _, word := range []string{"alpha", "run-a", "4711"} {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q does not name %s", err, word)
			}
		}
		// Giving back what another has changes nothing.
		must(t, s.Unclaim(ctx, "alpha", b))
		if err := s.Claim(ctx, "alpha", b, living); !errors.Is(err, assay.ErrBusy) {
			t.Errorf("after another's unclaim: %v", err)
		}
		must(t, s.Claim(ctx, "alpha", b, dead)) // taken over
		if err := s.Claim(ctx, "alpha", a, living); !errors.Is(err, assay.ErrBusy) || !strings.Contains(err.Error(), "run-b") {
			t.Errorf("after the take-over: %v", err)
		}
		must(t, s.Unclaim(ctx, "alpha", b))
		must(t, s.Claim(ctx, "alpha", a, living))
	})
}

func TestOwnerIsAliveUntilItsProcessEnds(t *testing.T) {
	self, err := Self("r")
	must(t, err)
	if self.Run != "r" || self.PID != os.Getpid() || !Alive(self) {
		t.Errorf("this process is not alive: %+v", self)
	}
	for what, o := range map[string]Owner{
		"another boot":                {PID: self.PID, Start: self.Start, Boot: "another"},
		"a process with its number":   {PID: self.PID, Start: self.Start + "0", Boot: self.Boot},
		"a number that cannot be one": {PID: 1 << 30, Start: self.Start, Boot: self.Boot},
	} {
		if Alive(o) {
			t.Errorf("%s counts as alive", what)
		}
	}
}

func TestKilledOwnersClaimIsTakenOver(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		path := at.empty(t)
		ctx, s := context.Background(), reopen(t, path)
		c := child(t, "write", path, "theirs", "100000")
		out, err := c.StdoutPipe()
		must(t, err)
		must(t, c.Start())
		acknowledgements(out, func(count int) {
			if count == 1 {
				runs, err := s.Runs(ctx)
				if err != nil || len(runs) != 1 {
					t.Errorf("runs: %v %v", runs, err)
				} else {
					must(t, s.Claim(ctx, "alpha", runs[0].Owner, Alive))
				}
				mine, err := Self("mine")
				must(t, err)
				if err := s.Claim(ctx, "alpha", mine, Alive); !errors.Is(err, assay.ErrBusy) {
					t.Errorf("while the other lives: %v", err)
				}
				must(t, c.Process.Kill())
			}
		})
		// Killed and not yet waited for: a zombie is dead, too.
		must(t, unix.Waitid(unix.P_PID, c.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil))
		mine, err := Self("mine")
		must(t, err)
		must(t, s.Claim(ctx, "alpha", mine, Alive))
		var exit *exec.ExitError
		if err := c.Wait(); !errors.As(err, &exit) {
			t.Errorf("the child ended by itself: %v", err)
		}
		runs, err := s.Runs(ctx)
		must(t, err)
		if runs[0].Status != assay.RunRunning || Alive(runs[0].Owner) {
			t.Errorf("a run cut short cannot be told: %+v", runs[0])
		}
	})
}

func TestParseStat(t *testing.T) {
	const tail = " S 1 2 3 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 9876 22 33"
	for _, name := range []string{"assay", "a b", "x) R 1 2 (y", ")"} {
		state, start, err := parseStat([]byte("17 (" + name + ")" + tail))
		if err != nil || state != "S" || start != "9876" {
			t.Errorf("%s: state %q, start %q, %v", name, state, start, err)
		}
	}
	for _, bad := range []string{"", "17 assay S 1", "17 (assay)", "17 (assay) S 1 2 3"} {
		if _, _, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
