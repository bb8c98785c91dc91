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

// bound tells what is slow from what hangs.
const bound = time.Minute

func stamp(at float64) string { return strconv.FormatFloat(at, 'f', 6, 64) }

// thing is something of this machine that can be stopped: a file.
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

// here has a mark as a run's commands have, by which all that they started is ended.
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
	await(t, "that is noted", func() bool { return exists(filepath.Join(dir, "stopped")) })
	step, err := e.Undo(t.Context(), at, dir)
	if err != nil || !exists(file) || exists(dir) {
		t.Fatalf("it is back: %t, its guard's directory is left: %t, %v", exists(file), exists(dir), err)
	}
	times, err := ReadTimes(step.Output.Stdout)
	if err != nil || times.Status != 0 || times.Stopped < times.Stopping || times.Starting < times.Stopped {
		t.Errorf("%+v, %v", times, err)
	}
	// Done twice, the second time changes nothing.
	if _, err := e.Undo(t.Context(), at, dir); err != nil {
		t.Error(err)
	}
}

// Nobody tells it, and all that the run had started there is killed: it puts it back all the same.
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

// Where the guard was killed too, whoever has the receipt puts it back.
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

// A host whose guard was never set has nothing started.
func TestNothingIsStartedThatRuns(t *testing.T) {
	t.Parallel()
	e, file, dir := thing(t, time.Hour)
	e.Start = "rm " + shell.Quote(file)
	if _, err := e.Undo(t.Context(), here(t, ""), dir); err != nil || !exists(file) {
		t.Errorf("it was started: %t, %v", !exists(file), err)
	}
}

// observed is what an observer sees of this machine until it has had so many answers.
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

// deaf is a port that is taken, and on which nobody listens.
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
