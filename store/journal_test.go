//go:build linux

package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
		// Another process reads what a dead one left.
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
		must(t, s.Claim(ctx, "alpha", a, living)) // claiming again is a no-op
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
		// Releasing another owner's claim changes nothing.
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
		// Killed but not yet waited for: a zombie counts as dead.
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

// Write access to the database must not allow anything to be removed, run or sent with
// the user's rights: receipts not sealed by this user on this machine are only shown.
func TestAForgedReceiptIsForeign(t *testing.T) {
	onEach(t, func(t *testing.T, at backend) {
		t.Setenv("XDG_STATE_HOME", t.TempDir())
		s, ctx := at.fresh(t), context.Background()
		owner := Owner{PID: 42, Start: "123", Boot: "b", Run: "r"}
		own := func() (ids []string) {
			t.Helper()
			entries, err := s.Outstanding(ctx)
			must(t, err)
			for _, e := range entries {
				ids = append(ids, e.Receipt.ID)
			}
			return ids
		}
		must(t, s.Journal(ctx, assay.Receipt{ID: "mine", Names: map[string]string{"kubeconfig": "/home/me/.kube/config"}}, owner))
		if got := own(); !slices.Equal(got, []string{"mine"}) {
			t.Fatalf("outstanding: %q", got)
		}
		for name, forge := range map[string]string{
			"another body":       `UPDATE journal SET body = replace(body, '/home/me', '/tmp/evil')`,
			"another run":        `UPDATE journal SET run = 'another'`,
			"a live one as dead": `UPDATE journal SET owner_pid = 0`,
			"another boot":       `UPDATE journal SET owner_boot = 'c'`,
			"another start":      `UPDATE journal SET owner_start = '124'`,
			"another id":         `UPDATE journal SET receipt = 'other'`,
			"another time":       `UPDATE journal SET since = '2020-01-01T00:00:00.000000Z'`,
			"another maker":      `UPDATE journal SET maker = 'somebody'`,
			"no seal":            `UPDATE journal SET seal = ''`,
			"fields that moved":  `UPDATE journal SET run = 'r1', owner_start = '23'`,
			"no body":            `UPDATE journal SET body = 'x'`,
			"a copy":             `INSERT INTO journal (receipt, since, run, owner_pid, owner_start, owner_boot, body, maker, seal) SELECT 'copy', since, run, owner_pid, owner_start, owner_boot, body, maker, seal FROM journal`,
		} {
			t.Run(name, func(t *testing.T) {
				must(t, s.write(ctx, "forge", func(tx *sql.Tx) error {
					_, err := tx.ExecContext(ctx, forge)
					return err
				}))
				want := []string(nil)
				if name == "a copy" {
					want = []string{"mine"}
				}
				if got := own(); !slices.Equal(got, want) {
					t.Errorf("it may be acted on: %q", got)
				}
				foreign, err := s.Foreign(ctx)
				must(t, err)
				if len(foreign) != 1 {
					t.Errorf("%d are shown", len(foreign))
				}
				must(t, s.Strike(ctx, "mine"))
				must(t, s.Strike(ctx, "other"))
				must(t, s.Strike(ctx, "copy"))
				must(t, s.Journal(ctx, assay.Receipt{ID: "mine", Names: map[string]string{"kubeconfig": "/home/me/.kube/config"}}, owner))
			})
		}
		// A receipt disowned by its own process stays this user's.
		must(t, s.Disown(ctx, owner))
		if got := own(); !slices.Equal(got, []string{"mine"}) {
			t.Errorf("given up: %q", got)
		}
		// Another user, or the same user on another machine.
		t.Setenv("XDG_STATE_HOME", t.TempDir())
		if got := own(); len(got) != 0 {
			t.Errorf("another user may act on %q", got)
		}
		must(t, s.Journal(ctx, assay.Receipt{ID: "theirs"}, owner))
		if got := own(); !slices.Equal(got, []string{"theirs"}) {
			t.Errorf("outstanding for the other: %q", got)
		}
	})
}

// The key is the user's alone, and is made once however many start at once.
func TestTheKeyOfTheJournal(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	if key, err := existingKey(); key != nil || err != nil {
		t.Fatalf("before its first use: %x, %v", key, err)
	}
	var all sync.WaitGroup
	keys := make([][]byte, 20)
	for i := range keys {
		all.Go(func() { keys[i], _ = ownKey() })
	}
	all.Wait()
	for _, k := range keys {
		if len(k) != keySize || !bytes.Equal(k, keys[0]) {
			t.Fatalf("several keys: %x and %x", keys[0], k)
		}
	}
	file := filepath.Join(dir, "assay", "journal.key")
	if left, _ := os.ReadDir(filepath.Dir(file)); len(left) != 1 {
		t.Errorf("left beside the key: %v", left)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	must(t, os.Chmod(file, 0o640))
	if _, err := existingKey(); err == nil || !strings.Contains(err.Error(), "others can read or change it") {
		t.Errorf("others can read it: %v", err)
	}
	must(t, os.Remove(file))
	elsewhere := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(elsewhere, []byte(strings.Repeat("ab", keySize)), 0o600))
	must(t, os.Symlink(elsewhere, file))
	if _, err := existingKey(); err == nil {
		t.Error("a link to a key is taken for one")
	}
	must(t, os.Remove(file))
	must(t, os.WriteFile(file, []byte("short"), 0o600))
	if _, err := existingKey(); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged key: %v", err)
	}
	if os.Geteuid() != 0 {
		return
	}
	must(t, os.WriteFile(file, []byte(strings.Repeat("ab", keySize)), 0o600))
	must(t, os.Chown(file, 65534, 65534))
	if _, err := existingKey(); err == nil || !strings.Contains(err.Error(), "belongs to user 65534") {
		t.Errorf("somebody else's key: %v", err)
	}
}

// With sudo -E, HOME is another user's: root has a key of its own.
func TestTheKeyIsInOnesOwnHome(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to give a directory to another user")
	}
	home := t.TempDir()
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", home)
	for _, own := range []bool{true, false} {
		file, err := keyFile()
		if err != nil || strings.HasPrefix(file, home+"/") != own || !filepath.IsAbs(file) {
			t.Errorf("in a home of one's own: %v; the key is %s, %v", own, file, err)
		}
		must(t, os.Chown(home, 65534, 65534))
	}
	// A key of one's own that is already there has sealed receipts.
	file := filepath.Join(home, ".local", "state", "assay", "journal.key")
	must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	must(t, os.WriteFile(file, nil, 0o600))
	if got, err := keyFile(); got != file || err != nil {
		t.Errorf("with one's own key in another's home: %s, %v", got, err)
	}
	must(t, os.Chown(file, 65534, 65534))
	if got, err := keyFile(); got == file || err != nil {
		t.Errorf("with another's key in another's home: %s, %v", got, err)
	}
}

// In a container, HOME may be root's and the user in no database, or have no home there.
func TestTheKeyStaysInHomeIfThereIsNoOther(t *testing.T) {
	own, others, gone := t.TempDir(), "/", filepath.Join(t.TempDir(), "gone")
	if os.Geteuid() == 0 {
		others = t.TempDir()
		must(t, os.Chown(others, 65534, 65534))
	}
	for _, c := range []struct {
		name, home, passwd string
		unknown            error
		want               string
	}{
		{"own", own, gone, nil, own},
		{"another's", others, own, nil, own},
		{"another's, and none in the user database", others, gone, nil, others},
		{"another's twice", others, others, nil, others},
		{"another's, and no such user", others, "", user.UnknownUserIdError(1000), others},
		{"none", "", own, nil, own},
		{"none, and none yet in the user database", "", gone, nil, gone},
		{"none, and no such user", "", "", user.UnknownUserIdError(1000), ""},
	} {
		got, err := keyHome(c.home, func() (*user.User, error) { return &user.User{HomeDir: c.passwd}, c.unknown })
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}
