package failover

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay"
	"assay/internal/shell"
	"assay/place/local"
)

// bound tells slow from hung.
const bound = 10 * time.Minute

func stamp(at float64) string { return strconv.FormatFloat(at, 'f', 6, 64) }

// thing is something on this machine that can be stopped: a file.
func thing(t *testing.T, within time.Duration) (e Entry, file, dir string) {
	t.Helper()
	for _, tool := range []string{"setsid", "timeout"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s", tool)
		}
	}
	at := t.TempDir()
	file = filepath.Join(at, "it's running")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	q := shell.Quote(file)
	return Entry{Name: "thing", Host: "here", Stop: "rm " + q, Start: "touch " + q, Running: "test -e " + q, Within: within}, file, filepath.Join(at, "guard")
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(bound); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", bound, what)
		}
	}
}

// here returns a place marked like a run's, so that all it started is ended.
func here(t *testing.T, mark string) assay.Place {
	at := local.New("here", mark)
	t.Cleanup(func() { _ = at.Close() })
	return at
}

func begun(t *testing.T, at assay.Place, e Entry, dir string) {
	t.Helper()
	out, err := at.Run(t.Context(), e.Begin(dir))
	if err != nil || string(out.Stdout) != Armed {
		t.Fatalf("%q, %q, %v", out.Stdout, out.Stderr, err)
	}
}

func TestTheGuardPutsItBackWhenTold(t *testing.T) {
	t.Parallel()
	e, file, dir := thing(t, time.Hour)
	at := here(t, "")
	begun(t, at, e, dir)
	await(t, "it is stopped", func() bool { return !exists(file) })
	// The file is there before its time is: date runs in between.
	await(t, "that is noted", func() bool {
		at, err := os.ReadFile(filepath.Join(dir, "stopped"))
		return err == nil && len(at) > 0
	})
	step, err := e.Undo(t.Context(), at, dir)
	if err != nil || !exists(file) || exists(dir) {
		t.Fatalf("it is back: %t, its guard's directory is left: %t, %v", exists(file), exists(dir), err)
	}
	times, err := ReadTimes(step.Output.Stdout)
	if err != nil || times.Status != 0 || times.Stopped < times.Stopping || times.Starting < times.Stopped {
		t.Errorf("%+v, %v", times, err)
	}
	// Undoing it a second time changes nothing.
	if _, err := e.Undo(t.Context(), at, dir); err != nil {
		t.Error(err)
	}
}

// Without being told, and with everything the run started there killed, the guard still puts
// it back.
func TestTheGuardNeedsNobody(t *testing.T) {
	t.Parallel()
	e, file, dir := thing(t, 2*time.Second)
	const mark = "20260101-000000-abcdef"
	at := local.New("here", mark)
	begun(t, at, e, dir)
	if err := at.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := here(t, "").(interface {
		Reap(context.Context, string) (int, error)
	}).Reap(t.Context(), mark); err != nil || n != 0 {
		t.Errorf("%d processes carried the mark of the run, %v", n, err)
	}
	await(t, "it is back", func() bool { return exists(filepath.Join(dir, "done")) })
	if !exists(filepath.Join(dir, "stopped")) || !exists(file) {
		t.Errorf("the guard is done; that it was stopped is noted: %t, it is back: %t", exists(filepath.Join(dir, "stopped")), exists(file))
	}
	if _, err := e.Undo(t.Context(), here(t, ""), dir); err != nil || exists(dir) {
		t.Errorf("its directory is left: %t, %v", exists(dir), err)
	}
}

// If the guard was killed too, anyone with the receipt can put it back.
func TestWithoutItsGuard(t *testing.T) {
	t.Parallel()
	e, file, dir := thing(t, time.Hour)
	at := here(t, "")
	begun(t, at, e, dir)
	await(t, "it is stopped", func() bool { return exists(filepath.Join(dir, "stopped")) })
	pid, err := os.ReadFile(filepath.Join(dir, "guard.pid"))
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(strings.TrimSpace(string(pid)))
	if err != nil {
		t.Fatal(err)
	}
	guard, _ := os.FindProcess(number)
	if err := guard.Kill(); err != nil {
		t.Fatal(err)
	}
	await(t, "the guard is dead", func() bool { return !strings.Contains(cmdline(number), "guard") })
	if _, err := e.Undo(t.Context(), at, dir); err != nil || !exists(file) || exists(dir) {
		t.Errorf("it is back: %t, %v", exists(file), err)
	}
}

func cmdline(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return string(text)
}

// Nothing is started on a host whose guard was never set.
func TestNothingIsStartedThatRuns(t *testing.T) {
	t.Parallel()
	e, file, dir := thing(t, time.Hour)
	e.Start = "rm " + shell.Quote(file)
	if _, err := e.Undo(t.Context(), here(t, ""), dir); err != nil || !exists(file) {
		t.Errorf("it was started: %t, %v", !exists(file), err)
	}
}

// observed returns what an observer of this machine prints until it has had enough
// answers.
func observed(t *testing.T, e Entry, enough int, answer string) string {
	t.Helper()
	if _, err := exec.LookPath("perl"); err != nil {
		t.Skip("needs perl")
	}
	n := 0
	c := e.Observe()
	c.OnStdout = func(piece []byte) bool {
		n += strings.Count(string(piece), answer)
		return n >= enough
	}
	c.Timeout = bound
	out, err := here(t, "").Run(t.Context(), c)
	if err != nil {
		t.Fatalf("%v: %q", err, out.Stderr)
	}
	return string(out.Stdout)
}

// deaf returns a port that is bound but not listened on.
func deaf(t *testing.T) int {
	t.Helper()
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(s) })
	if err := unix.Bind(s, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	name, err := unix.Getsockname(s)
	if err != nil {
		t.Fatal(err)
	}
	return name.(*unix.SockaddrInet4).Port
}

func TestObservers(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Host != "127.0.0.1:"+strconv.Itoa(r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr).Port):
			w.WriteHeader(http.StatusMisdirectedRequest)
		case r.URL.Path != "/healthz":
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(server.Close)
	port := server.Listener.Addr().(*net.TCPAddr).Port
	unused := deaf(t)
	for answer, e := range map[string]Entry{
		" ok\n":         {Address: "127.0.0.1", Port: port},
		" refused\n":    {Address: "127.0.0.1", Port: unused},
		" status-503\n": {Address: "127.0.0.1", Port: port, HTTP: "/other"},
	} {
		if text := observed(t, e, 3, answer); strings.Count(text, answer) < 3 {
			t.Errorf("%s: %s", e.Asked(), text)
		}
	}
	for _, e := range []Entry{{Address: "127.0.0.1", Port: port, HTTP: "/healthz"}, {Address: "127.0.0.1", Port: port, HTTP: "/other", Status: 503}} {
		if _, err := ReadRequests([]byte(observed(t, e, fewestAnswers, " ok\n"))); err != nil {
			t.Errorf("%s: %v", e.Asked(), err)
		}
	}
	if os.Geteuid() == 0 {
		if _, err := ReadRequests([]byte(observed(t, Entry{Address: "127.0.0.1"}, fewestAnswers, " ok\n"))); err != nil {
			t.Errorf("pings: %v", err)
		}
	}
}

// tried returns what an observer sees of a command on this machine.
func tried(t *testing.T, command string, timeout time.Duration, enough int, answer string) []Request {
	t.Helper()
	text := observed(t, Entry{Command: command, Timeout: timeout}, enough, answer)
	var all []Request
	for line := range strings.Lines(text) {
		m := lineRequest.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil || !strings.HasSuffix(line, answer) {
			t.Fatalf("%s: %q, want%q", command, line, answer)
		}
		all = append(all, Request{Sent: number(m[1]), Took: number(m[2])})
	}
	if len(all) < enough {
		t.Fatalf("%s: %d times%q", command, len(all), answer)
	}
	return all
}

// A command's exit status is the answer; its output is ignored and its stdin is empty.
func TestCommandsAnswer(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "it's there")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for command, word := range map[string]string{
		"test -e " + shell.Quote(file): " ok\n",
		"cat; echo ok; echo ok >&2":    " ok\n",
		"exit 7":                       " status-7\n",
		"kill -TERM $$":                " signal-15\n",
		"no-such-command-anywhere":     " status-127\n",
	} {
		tried(t, command, time.Minute, 3, word)
	}
}

// A command starts only after the previous one ended, and not too soon after that one
// started.
func TestOneCommandAtATime(t *testing.T) {
	t.Parallel()
	const rounded = 2e-6 // s
	lock := shell.Quote(filepath.Join(t.TempDir(), "lock"))
	all := tried(t, "mkdir "+lock+" && sleep 0.05 && rmdir "+lock, time.Minute, 5, " ok\n")
	for i, r := range all[1:] {
		if before := all[i]; r.Sent < before.Sent+before.Took-rounded || r.Took < .05 {
			t.Errorf("one from %.6f for %.6f s, the next from %.6f for %.6f s", before.Sent, before.Took, r.Sent, r.Took)
		}
	}
	all = tried(t, ":", time.Minute, 20, " ok\n")
	for i, r := range all[1:] {
		if r.Sent-all[i].Sent < .99*Every.Seconds() {
			t.Errorf("%.6f s from one to the next", r.Sent-all[i].Sent)
		}
	}
}

// sleepers returns a command that hangs, as does its background child, and a function that
// reports whether any of it runs.
func sleepers(t *testing.T) (command string, run func() bool) {
	t.Helper()
	mark := "SLEEPER=" + t.TempDir()
	return "export " + mark + "; sleep 987 & sleep 988", func() bool {
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range files {
			if text, _ := os.ReadFile(file); strings.Contains(string(text), mark+"\x00") {
				return true
			}
		}
		return false
	}
}

// A command that hangs counts as lost and is killed with its children, also when its observer
// ends.
func TestCommandsThatHang(t *testing.T) {
	t.Parallel()
	command, run := sleepers(t)
	for _, r := range tried(t, command, time.Second, 2, " lost\n") {
		if r.Took < 1 {
			t.Errorf("lost after %.3f s", r.Took)
		}
	}
	await(t, "all of it ended", func() bool { return !run() })
}

// What an observer runs ends with it, even after a kill -9 of the observer alone, which it
// can't catch.
func TestNothingOutlivesAnObserver(t *testing.T) {
	t.Parallel()
	command, run := sleepers(t)
	outlived(t, Entry{Command: command}.Observe(), run)
}

// outlived fails if anything that a command started survives any way of ending the command.
func outlived(t *testing.T, c assay.Cmd, run func() bool) {
	t.Helper()
	if _, err := exec.LookPath("perl"); err != nil {
		t.Skip("needs perl")
	}
	for _, s := range []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGKILL} {
		observer := exec.Command(c.Argv[0], c.Argv[1:]...)
		if err := observer.Start(); err != nil {
			t.Fatal(err)
		}
		await(t, "it runs", run)
		if err := observer.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		_ = observer.Wait()
		await(t, "all of it ended after "+s.String(), func() bool { return !run() })
	}
}
