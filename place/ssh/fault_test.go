package ssh_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/place/ssh"
)

func sh(script string, args ...string) assay.Cmd {
	return assay.Cmd{Argv: append([]string{"sh", "-c", script, "sh"}, args...)}
}

// started runs c and waits until what it starts is visible on the host. The
// channel delivers Run's error.
func started(ctx context.Context, s *server, p assay.Place, c assay.Cmd, line string) <-chan error {
	s.t.Helper()
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run(ctx, c)
		ended <- err
	}()
	if !eventually(func() bool { return s.runs(line) }) {
		s.t.Fatalf("%q never began", line)
	}
	return ended
}

func (s *server) runs(line string) bool {
	for _, l := range s.processes() {
		if l == line {
			return true
		}
	}
	return false
}

func wait(t *testing.T, ended <-chan error) error {
	t.Helper()
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		t.Fatalf("not over within %s", patience)
		return nil
	}
}

// A process tree: one left the group, one ignores SIGTERM and one has no
// environment.
const tree = `sleep 601 & setsid sleep 602 & env -i sleep 603 & sh -c 'trap "" TERM; sleep 604; sleep 604' & wait`

func TestCutConnectionKillsTheTree(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	p := s.place(ssh.Options{})
	file := filepath.Join(s.dir, "times")
	ended := started(context.Background(), s, p, sh(`echo once >>"$1"; `+tree, file), "sleep 602")
	s.cut()
	err := wait(t, ended)
	if !errors.Is(err, ssh.ErrLost) || !strings.Contains(err.Error(), "pve1") {
		t.Errorf("got %v, want ErrLost", err)
	}
	s.expectEmpty()
	if got := s.read("times"); got != "once\n" {
		t.Errorf("what was begun was begun again: %q", got)
	}
	if out, err := p.Run(context.Background(), sh("printf back")); err != nil || string(out.Stdout) != "back" {
		t.Errorf("no new connection: %q, %v", out.Stdout, err)
	}
}

func TestCancelKillsWhatLeftTheGroup(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	p := s.place(ssh.Options{})
	for name, c := range map[string]assay.Cmd{
		"a tree": sh(tree),
		"a stubborn one without an environment": {
			Argv: []string{"env", "-i", "sh", "-c", `trap "" TERM; sleep 602; sleep 602; sleep 602`},
		},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		ended := started(ctx, s, p, c, "sleep 602")
		cancel()
		if err := wait(t, ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
		if !eventually(func() bool { return !strings.Contains(fmt.Sprint(s.processes()), "sleep") }) {
			t.Errorf("%s outlived Run: %v", name, s.processes())
		}
	}
}

// A dead network closes no connection: the far side acts on missing beats,
// whatever its sh.
func TestSilenceKillsTheTree(t *testing.T) {
	for name, m := range map[string]func(t *testing.T) machine{
		"sh":           func(*testing.T) machine { return machine{} },
		"bash is sh":   func(*testing.T) machine { return machine{sh: "bash"} },
		"busybox's sh": func(t *testing.T) machine { return busybox(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, m(t))
			p := s.place(ssh.Options{})
			p.SetBeat(3 * time.Second)
			ended := started(context.Background(), s, p, sh(tree), "sleep 602")
			must(t, syscall.Kill(p.Master(), syscall.SIGSTOP))
			if !eventually(func() bool { return !strings.Contains(fmt.Sprint(s.processes()), "sleep 60") }) {
				t.Errorf("it runs on without us: %v", s.processes())
			}
			must(t, syscall.Kill(p.Master(), syscall.SIGCONT))
			if err := wait(t, ended); !errors.Is(err, ssh.ErrLost) {
				t.Errorf("got %v, want ErrLost", err)
			}
		})
	}
}

// As long as beats arrive, a command may be silent for long.
func TestBeatsKeepItAlive(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	p := s.place(ssh.Options{})
	p.SetBeat(4 * time.Second) // the far side waits for 16 s
	out, err := p.Run(context.Background(), sh("sleep 17; printf slept"))
	if err != nil || string(out.Stdout) != "slept" {
		t.Errorf("got %q, %v", out.Stdout, err)
	}
}

func TestDeadSharedConnectionIsReplaced(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	p := s.place(ssh.Options{})
	for range 5 {
		if out, err := p.Run(context.Background(), sh("printf here")); err != nil || string(out.Stdout) != "here" {
			t.Fatalf("got %q, %v", out.Stdout, err)
		}
		_ = syscall.Kill(p.Master(), syscall.SIGKILL) // it may be gone: ssh can do without
	}
	_ = p.Close()
	s.expectEmpty()
}

func TestOneConnectionServesAll(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	p := s.place(ssh.Options{})
	seen := map[string]bool{}
	for range 3 {
		out, err := p.Run(context.Background(), sh(`printf %s "$SSH_CONNECTION"`))
		must(t, err)
		seen[string(out.Stdout)] = true
	}
	if len(seen) != 1 {
		t.Errorf("%d connections: %v", len(seen), seen)
	}
}

// By default sshd allows ten sessions per connection.
func TestMoreAtOnceThanSessions(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{sshd: []string{"MaxSessions 1"}})
	p := s.place(ssh.Options{})
	const n = 12
	errs := make(chan error, n)
	for i := range n {
		go func() {
			out, err := p.Run(context.Background(), sh(`sleep 1; printf %s "$1"`, strconv.Itoa(i)))
			if err == nil && string(out.Stdout) != strconv.Itoa(i) {
				err = fmt.Errorf("answer %q of %d", out.Stdout, i)
			}
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// The ssh of the second session says that the first connection refused it, and
// opens one of its own.
func TestALossIsReportedWithWhatSSHSaid(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{sshd: []string{"MaxSessions 1"}})
	p := s.place(ssh.Options{})
	first := started(context.Background(), s, p, sh("sleep 601; :"), "sleep 601")
	second := started(context.Background(), s, p, sh("sleep 602; :"), "sleep 602")
	s.cut()
	_ = wait(t, first)
	want := regexp.MustCompile("^host pve1: the connection was lost while sh ran: connection (closed|reset)$")
	if err := wait(t, second); err == nil || !want.MatchString(err.Error()) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Half of a stdin may do what the whole would not: sh executes as it reads.
func TestHalfAnStdinReachesNobody(t *testing.T) {
	for name, want := range map[string]error{"cut": ssh.ErrLost, "cancelled": context.Canceled} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, machine{})
			p := s.place(ssh.Options{})
			c := sh(`wc -c >"$1"`, filepath.Join(s.dir, "count"))
			c.Stdin = make([]byte, 128<<20)
			if _, err := p.Run(context.Background(), sh(":")); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			ended := started(ctx, s, p, c, "head -c "+strconv.Itoa(len(c.Stdin)))
			if name == "cut" {
				s.cut()
			} else {
				cancel()
			}
			if err := wait(t, ended); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
			_ = p.Close()
			s.expectEmpty()
			if b, err := os.ReadFile(filepath.Join(s.dir, "count")); err == nil {
				t.Errorf("the command began, and got %q bytes of %d", bytes.TrimSpace(b), len(c.Stdin))
			}
		})
	}
}

func TestLargeBothWays(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	p := s.place(ssh.Options{})
	c := sh(`cat; cat /dev/null; head -c 67108864 /dev/zero >&2`)
	c.Limit = 64 << 20
	c.Stdin = bytes.Repeat([]byte("\x00\xff\r\n~.'\\"), 1<<20) // 8 MiB, with what terminals act on
	out, err := p.Run(context.Background(), c)
	if err != nil || !bytes.Equal(out.Stdout, c.Stdin) || len(out.Stderr) != 64<<20 {
		t.Errorf("%d and %d bytes came back, %v", len(out.Stdout), len(out.Stderr), err)
	}
}

func TestStdinThatNobodyReads(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	p := s.place(ssh.Options{})
	c := sh(`exec <&-; printf done`)
	c.Stdin = make([]byte, 8<<20)
	if out, err := p.Run(context.Background(), c); err != nil || string(out.Stdout) != "done" {
		t.Errorf("got %q, %v", out.Stdout, err)
	}
	_ = p.Close()
	s.expectEmpty()
}

func TestEndlessOutputIsStopped(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	p := s.place(ssh.Options{})
	out, err := p.Run(context.Background(), assay.Cmd{Argv: []string{"cat", "/dev/zero"}})
	if !errors.Is(err, assay.ErrTooLong) || len(out.Stdout) != assay.OutputLimit {
		t.Errorf("kept %d bytes, %v", len(out.Stdout), err)
	}
	_ = p.Close()
	s.expectEmpty()
}

func TestExitStatusIsExact(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	p := s.place(ssh.Options{})
	for _, script := range []string{"exit 255", "exit 126", "kill -TERM $$", "exit 1"} {
		want := map[string]int{"exit 255": 255, "exit 126": 126, "kill -TERM $$": 143, "exit 1": 1}[script]
		out, err := p.Run(context.Background(), sh(script))
		if err != nil || out.Exit != want || len(out.Stderr) > 0 {
			t.Errorf("%s: exit %d, stderr %q, %v; want %d", script, out.Exit, out.Stderr, err, want)
		}
	}
	if _, err := p.Run(context.Background(), assay.Cmd{Argv: []string{"/etc"}}); err == nil || errors.Is(err, assay.ErrNoCommand) {
		t.Errorf("a directory as a command: %v", err)
	}
}

func TestCPUTimeIsCounted(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	asked := time.Now()
	out, err := s.place(ssh.Options{}).Run(context.Background(), sh("i=0; while [ $i -lt 500000 ]; do i=$((i+1)); done"))
	must(t, err)
	// A busy machine notices late that the command began.
	if whole := time.Since(asked); out.CPU <= 0 || out.CPU > 2*whole {
		t.Errorf("CPU time %v in %v", out.CPU, whole)
	}
}

// sh makes background commands ignore SIGINT; timeout -s INT must work.
func TestSignalsAreNotIgnored(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	out, err := s.place(ssh.Options{}).Run(context.Background(), assay.Cmd{Argv: []string{"grep", "SigIgn", "/proc/self/status"}})
	must(t, err)
	_, word, _ := strings.Cut(strings.TrimSpace(string(out.Stdout)), "\t")
	ignored, err := strconv.ParseUint(word, 16, 64)
	// Real-time signals, from the 32nd on, are inherited from whoever started all
	// this.
	if err != nil || ignored&(1<<31-1) != 0 {
		t.Errorf("ignored signals: %q, %v", out.Stdout, err)
	}
}

// What a command is given appears in no argument list, local or remote, except
// the command's own.
func TestSecretsAreInNoArgumentList(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	c := sh(`cat >/dev/null; sleep 605`)
	c.Env = []string{"TOKEN=open-sesame-1"}
	c.Stdin = []byte("open-sesame-2")
	ctx, cancel := context.WithCancel(context.Background())
	ended := started(ctx, s, s.place(ssh.Options{}), c, "sleep 605")
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if line, _ := os.ReadFile(f); bytes.Contains(line, []byte("open-sesame")) {
			t.Errorf("%s: %q", f, line)
		}
	}
	cancel()
	_ = wait(t, ended)
}

func TestReap(t *testing.T) {
	t.Parallel()
	program(t, "setsid")
	s := serve(t, machine{})
	p := s.place(ssh.Options{Mark: "run-1"})
	if _, err := p.Run(context.Background(), sh(`setsid sleep 606 & until grep -q sleep "/proc/$!/comm"; do :; done`)); err != nil {
		t.Fatal(err)
	}
	if !s.runs("sleep 606") {
		t.Fatal("what left its group was killed with its command")
	}
	if n, err := p.Reap(context.Background(), "run"); n != 0 || err != nil {
		t.Errorf("reaped %d of another mark, %v", n, err)
	}
	// On a busy machine the previous command's shell may still be exiting.
	if n, err := p.Reap(context.Background(), "run-1"); n < 1 || err != nil {
		t.Errorf("reaped %d, %v; want at least the one that left its group", n, err)
	}
	_ = p.Close()
	s.expectEmpty()
}

// A newline in a mark would add a second pattern, which any process could match.
func TestReapKillsNothingElse(t *testing.T) {
	t.Parallel()
	program(t, "setsid")
	s := serve(t, machine{})
	p := s.place(ssh.Options{Mark: "run-1"})
	if _, err := p.Run(t.Context(), sh(`VICTIM=1 setsid sleep 607 & until grep -q sleep "/proc/$!/comm"; do :; done`)); err != nil {
		t.Fatal(err)
	}
	for _, mark := range []string{"x\nVICTIM=1", "\nVICTIM=1", "x\x00VICTIM=1", "x\n"} {
		if n, err := p.Reap(t.Context(), mark); n != 0 || err == nil || strings.ContainsAny(err.Error(), "\n\x00") {
			t.Errorf("%q: reaped %d, %v", mark, n, err)
		}
	}
	if !s.runs("sleep 607") {
		t.Error("a process that is none of the run's was killed")
	}
	if n, err := p.Reap(t.Context(), "run-1"); n < 1 || err != nil {
		t.Errorf("reaped %d of the run itself, %v", n, err)
	}
	if _, err := s.place(ssh.Options{Mark: "x\nVICTIM=1"}).Run(t.Context(), sh(":")); err == nil {
		t.Error("a command was started with two marks")
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	dir := filepath.Join(s.dir, "control")
	p := s.place(ssh.Options{ControlDir: dir})
	ended := started(context.Background(), s, p, sh(tree), "sleep 602")
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d sockets in %s, want 1", len(entries), dir)
	}
	must(t, p.Close())
	if err := wait(t, ended); !errors.Is(err, ssh.ErrLost) {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left in %s: %v", dir, entries)
	}
	s.expectEmpty()
	if _, err := p.Run(context.Background(), sh(":")); err == nil {
		t.Error("a closed place ran a command")
	}
}

// A tool that is terminated may clean up after itself, and its output is kept.
func TestTheEndIsPolite(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	c := sh(`trap 'printf bye; exit 3' TERM; printf begun; while :; do sleep 0.1; done`)
	p := s.place(ssh.Options{})
	// A busy machine may not have started by then, or not finish within the grace period.
	for c.Timeout = time.Second; ; c.Timeout *= 2 {
		out, err := p.Run(context.Background(), c)
		if errors.Is(err, assay.ErrTimeout) && string(out.Stdout) == "begunbye" && out.Exit == 3 {
			return
		}
		if !errors.Is(err, assay.ErrTimeout) || c.Timeout > 30*time.Second {
			t.Fatalf("%q, exit %d, %v", out.Stdout, out.Exit, err)
		}
	}
}

func TestControlDirOfOthersIsRefused(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o755))
	_, err := ssh.New(assay.Host{Name: "pve1"}, ssh.Options{ControlDir: dir}).Run(context.Background(), sh(":"))
	if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(assay.Hint(err), "chmod 700") {
		t.Errorf("got %v (hint: %s)", err, assay.Hint(err))
	}
}

// blackHole accepts connections and says nothing.
func blackHole(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().(*net.TCPAddr).Port
}

// Commands for an unresponsive host share one attempt instead of queueing.
func TestOneAttemptServesAllWhoWait(t *testing.T) {
	t.Parallel()
	s := serve(t, machine{})
	p := s.place(ssh.Options{Port: blackHole(t)})
	const n = 4
	errs := make(chan error, n)
	began := time.Now()
	for range n {
		go func() {
			_, err := p.Run(context.Background(), sh(":"))
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; !errors.Is(err, ssh.ErrUnreachable) {
			t.Errorf("got %v, want ErrUnreachable", err)
		}
	}
	// One attempt takes 10 s; in sequence they would take two minutes.
	if took := time.Since(began); took > 100*time.Second {
		t.Errorf("%d commands took %v to be refused", n, took)
	}
}
