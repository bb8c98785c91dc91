package kills

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the driver of assay's database

	"assay/lab/internal/laptop"
)

// bed is a user with a database, and what that user measures.
type bed struct {
	t      *testing.T
	home   string
	target []string // what run measures
	left   func() []string
}

// newBed returns a bed. left lists what a run left where it measures.
func newBed(t *testing.T, left func() []string, target ...string) *bed {
	t.Helper()
	home, err := os.MkdirTemp("", "kills-") // short, for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	for _, d := range []string{"run", "tmp"} {
		if err := os.Mkdir(filepath.Join(home, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return &bed{t, home, target, left}
}

func (b *bed) db() string { return filepath.Join(b.home, "assay.db") }

// running is an assay run.
type running struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	said bytes.Buffer
	over chan struct{}
}

func (r *running) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said.Write(p)
}

func (r *running) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said.String()
}

// begin starts a run isolated from others: /run, where its locks are, is a directory
// of the bed, and no caches are dropped: what is measured here is in memory, and
// everything else would only slow down.
func (b *bed) begin(words ...string) *running {
	b.t.Helper()
	file, err := laptop.Binary()
	if err != nil {
		b.t.Fatal(err)
	}
	argv := append([]string{"--mount", "/bin/sh", "-c", `mount --bind "$0" /run && mount --bind /dev/null /proc/sys/vm/drop_caches && exec "$@"`, filepath.Join(b.home, "run"), file, "run", "--format", "json"}, b.target...)
	r := &running{cmd: exec.Command("unshare", append(argv, words...)...), over: make(chan struct{})}
	r.cmd.Dir = b.home
	r.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + b.home, "TMPDIR=" + filepath.Join(b.home, "tmp"), "ASSAY_DB=" + b.db()}
	r.cmd.Stderr = r
	r.cmd.WaitDelay = 5 * time.Second
	if err := r.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	go func() { _ = r.cmd.Wait(); close(r.over) }()
	b.t.Cleanup(func() { _ = r.cmd.Process.Kill(); <-r.over })
	return r
}

// ended counts the repeats that assay reported as stored.
func (r *running) ended() (n int) {
	for line := range strings.Lines(r.text()) {
		var e struct{ Event string }
		if json.Unmarshal([]byte(line), &e) == nil && e.Event == "end" {
			n++
		}
	}
	return n
}

// repeats returns those in the database: run, trial, number and outcome.
func (b *bed) repeats() map[string]bool {
	return b.ask(`SELECT run || ' ' || trial || ' ' || n || ' ' || outcome FROM repeat`)
}

// journal returns the receipts in the database.
func (b *bed) journal() map[string]bool { return b.ask(`SELECT body FROM journal`) }

func (b *bed) ask(question string) map[string]bool {
	b.t.Helper()
	found := map[string]bool{}
	if _, err := os.Stat(b.db()); errors.Is(err, os.ErrNotExist) {
		return found
	}
	db, err := sql.Open("sqlite", "file:"+b.db()+"?mode=ro&_pragma=busy_timeout(20000)")
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(question)
	if err != nil {
		return found // killed before it had tables
	}
	defer rows.Close()
	for rows.Next() {
		var row string
		if err := rows.Scan(&row); err != nil {
			b.t.Fatal(err)
		}
		found[row] = true
	}
	return found
}

// processes returns the command lines of what the bed's assay left running
// here.
func (b *bed) processes() (found []string) {
	for _, p := range laptop.Processes() {
		if bytes.Contains(p.Environ(), []byte("HOME="+b.home+"\x00")) {
			found = append(found, p.Line())
		}
	}
	return found
}

// expectNothingLeft fails if a run left something behind.
func (b *bed) expectNothingLeft(what string) (fine bool) {
	b.t.Helper()
	var left []string
	if !laptop.Eventually(2*time.Minute, func() bool {
		left = append(b.left(), b.processes()...)
		return len(left) == 0
	}) {
		b.t.Errorf("%s: left %q", what, left)
		return false
	}
	if receipts := b.journal(); len(receipts) > 0 {
		b.t.Errorf("%s: the journal holds %v", what, receipts)
		return false
	}
	return true
}

// await waits for a run to end and returns its exit status.
func (b *bed) await(r *running, most time.Duration) (int, error) {
	ctx, cancel := context.WithTimeout(b.t.Context(), most)
	defer cancel()
	select {
	case <-r.over:
		return r.cmd.ProcessState.ExitCode(), nil
	case <-ctx.Done():
		_ = r.cmd.Process.Signal(syscall.SIGQUIT)
		return 0, fmt.Errorf("it did not end within %s", most)
	}
}
