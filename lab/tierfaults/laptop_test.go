package tierfaults

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assay/report"
)

// laptop is a machine of its own to assay: a home, a database and a directory
// for temporary files that nothing else uses.
type laptop struct {
	t    *testing.T
	dir  string
	file string // the cluster.yaml
}

// newLaptop makes one. Its path is short, so that sockets fit into it.
func newLaptop(t *testing.T, file string) *laptop {
	t.Helper()
	dir, err := os.MkdirTemp("", "tierfaults-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	l := &laptop{t: t, dir: dir, file: file}
	for _, d := range []string{l.home(), l.temporary()} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func (l *laptop) home() string      { return filepath.Join(l.dir, "home") }
func (l *laptop) temporary() string { return filepath.Join(l.dir, "tmp") }

// environ is all that assay and what it starts have as their environment. The
// home is in nobody else's.
func (l *laptop) environ() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + l.home(), "TMPDIR=" + l.temporary(),
		"XDG_DATA_HOME=" + filepath.Join(l.dir, "data"), "XDG_CONFIG_HOME=" + filepath.Join(l.dir, "config"),
		"XDG_CACHE_HOME=" + filepath.Join(l.dir, "cache"), "XDG_STATE_HOME=" + filepath.Join(l.dir, "state"),
		"ASSAY_DB=" + filepath.Join(l.dir, "assay.db"),
	}
}

// command is an assay that runs.
type command struct {
	laptop *laptop
	cmd    *exec.Cmd
	out    bytes.Buffer
	said   syncBuffer // standard error
	began  time.Time
	over   chan struct{}
	err    error
}

// result is how an assay ended.
type result struct {
	exit         int // 128 + the signal, where one ended it
	stdout, said string
	took         time.Duration
}

// begin starts assay with these words.
func (l *laptop) begin(words ...string) *command {
	l.t.Helper()
	file, err := binary()
	if err != nil {
		l.t.Fatal(err)
	}
	c := &command{laptop: l, cmd: exec.Command(file, words...), over: make(chan struct{})}
	c.cmd.Dir = l.home()
	c.cmd.Env = l.environ()
	c.cmd.Stdout, c.cmd.Stderr = &c.out, &c.said
	c.cmd.WaitDelay = 5 * time.Second
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.began = time.Now()
	if err := c.cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	go func() {
		c.err = c.cmd.Wait()
		close(c.over)
	}()
	l.t.Cleanup(func() {
		_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
		<-c.over
	})
	return c
}

// signal sends a signal to assay alone, and to nothing that it has started.
func (c *command) signal(s syscall.Signal) {
	c.laptop.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.laptop.t.Fatal(err)
	}
}

// wait waits for the end, for at most so long since the beginning.
func (c *command) wait(most time.Duration) result {
	c.laptop.t.Helper()
	select {
	case <-c.over:
	case <-time.After(time.Until(c.began.Add(most))):
		c.laptop.t.Fatalf("assay did not end within %s; it said:\n%s", most, brief(c.said.String()))
	}
	r := result{stdout: c.out.String(), said: c.said.String(), took: time.Since(c.began), exit: c.cmd.ProcessState.ExitCode()}
	if status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		r.exit = 128 + int(status.Signal())
	}
	var exited *exec.ExitError
	if c.err != nil && !errors.As(c.err, &exited) {
		c.laptop.t.Fatalf("assay: %v", c.err)
	}
	return r
}

// do runs an assay that measures nothing to its end.
func (l *laptop) do(words ...string) result {
	l.t.Helper()
	return l.begin(words...).wait(2 * time.Minute)
}

// read reads JSON that assay printed.
func read[T any](t *testing.T, r result) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.stdout), &v); err != nil {
		t.Fatalf("no JSON (%v) of an assay that ended with %d and said\n%s\nand printed\n%s", err, r.exit, brief(r.said), brief(r.stdout))
	}
	return v
}

// stored is the report of the last run, as the database has it now; ok is false
// where there is none yet.
func (l *laptop) stored() (d report.Document, ok bool) {
	l.t.Helper()
	r := l.do("report", "--format", "json")
	if r.exit != 0 {
		return d, false
	}
	return read[report.Document](l.t, r), true
}

// released is what assay cleanup says.
type released struct {
	Released []struct {
		Run    string            `json:"run"`
		Names  map[string]string `json:"names"`
		Killed int               `json:"killed"`
		Error  string            `json:"error"`
	} `json:"released"`
	InUse int `json:"in_use"`
}

// cleanUp runs assay cleanup as a user does after a run that left something.
func (l *laptop) cleanUp() released {
	l.t.Helper()
	r := l.do("cleanup", "-i", l.file, "--format", "json")
	if r.exit != 0 {
		l.t.Errorf("cleanup ended with %d: %s", r.exit, r.said)
	}
	return read[released](l.t, r)
}

// expectEmpty fails where assay has left something on the laptop: a process, a
// file outside its database, an entry in the journal.
func (l *laptop) expectEmpty() {
	l.t.Helper()
	if c := l.cleanUp(); len(c.Released) > 0 || c.InUse > 0 {
		l.t.Errorf("the journal was not empty: %+v", c)
	}
	var left []string
	if !eventually(10*time.Second, func() bool { left = l.processes(); return len(left) == 0 }) {
		l.t.Errorf("processes are left on the laptop: %q", left)
	}
	for _, dir := range []string{l.home(), l.temporary()} {
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) > 0 {
			l.t.Errorf("%s holds %v, %v", dir, entries, err)
		}
	}
}

// processes gives what runs with this laptop's home.
func (l *laptop) processes() []string {
	var found []string
	for _, p := range processes() {
		if bytes.Contains(p.environ(), []byte("HOME="+l.home()+"\x00")) {
			found = append(found, p.line())
		}
	}
	return found
}

// syncBuffer is a buffer that is read while it is written to.
type syncBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// eventually polls until ok, and says whether that came to be.
func eventually(bound time.Duration, ok func() bool) bool {
	for end := time.Now().Add(bound); ; time.Sleep(30 * time.Millisecond) {
		if ok() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}
