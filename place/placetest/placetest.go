package placetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/interrupts"
)

// patience tells slow from hung.
const patience = 10 * time.Minute

// Test runs the suite against the place that open returns.
func Test(t *testing.T, open func(t *testing.T) assay.Place) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, assay.Place){
		"names its host":                    hasHost,
		"gives both streams and the status": givesStreams,
		"an exit is no error":               exitIsNoError,
		"a signal is 128 and more":          signalStatus,
		"quotes nothing and splits nothing": wordsStayWords,
		"environment and stdin":             environment,
		"a large answer":                    largeAnswer,
		"a missing command":                 missingCommand,
		"a bound":                           bound,
		"cancel kills the tree":             cancelKillsTree,
		"cancel beats a stubborn command":   stubborn,
		"cancel ends what left the group":   leftTheGroup,
		"a leftover child does not hold it": leftoverChild,
		"an already cancelled context":      cancelledBefore,
		"several at once":                   severalAtOnce,
		"one that has said enough":          heeded,
		"one that is heard to its end":      heard,
		"a gate":                            gated,
		"a gate that stays shut":            shutOut,
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t)
			t.Cleanup(func() {
				if err := p.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
				if err := p.Close(); err != nil {
					t.Errorf("second close: %v", err)
				}
			})
			check(t, p)
		})
	}
}

func sh(script string, args ...string) assay.Cmd {
	return assay.Cmd{Argv: append([]string{"sh", "-c", script, "sh"}, args...)}
}

func mustRun(t *testing.T, p assay.Place, c assay.Cmd) assay.Output {
	t.Helper()
	out, err := p.Run(context.Background(), c)
	if err != nil {
		t.Fatalf("run %q: %v", c.Argv, err)
	}
	return out
}

func hasHost(t *testing.T, p assay.Place) {
	if p.Host().Name == "" {
		t.Error("a place without a host's name")
	}
}

func givesStreams(t *testing.T, p assay.Place) {
	out := mustRun(t, p, sh("printf out; printf err >&2"))
	if string(out.Stdout) != "out" || string(out.Stderr) != "err" || out.Exit != 0 {
		t.Errorf("stdout %q, stderr %q, exit %d", out.Stdout, out.Stderr, out.Exit)
	}
	if out.Started.IsZero() || out.Elapsed <= 0 {
		t.Errorf("started %v, elapsed %v", out.Started, out.Elapsed)
	}
}

func exitIsNoError(t *testing.T, p assay.Place) {
	if out := mustRun(t, p, sh("exit 7")); out.Exit != 7 {
		t.Errorf("exit %d, want 7", out.Exit)
	}
}

func signalStatus(t *testing.T, p assay.Place) {
	if out := mustRun(t, p, sh("kill -9 $$")); out.Exit != 137 {
		t.Errorf("exit %d, want 137", out.Exit)
	}
}

func wordsStayWords(t *testing.T, p assay.Place) {
	words := []string{"a;exit 9", "$(exit 9)", "two words", "", "'", `"`, "a\nb", "*", "-n", "é"}
	out := mustRun(t, p, sh(`for w in "$@"; do printf '<%s>' "$w"; done`, words...))
	want := "<" + strings.Join(words, "><") + ">"
	if string(out.Stdout) != want || out.Exit != 0 {
		t.Errorf("got %q (exit %d), want %q", out.Stdout, out.Exit, want)
	}
}

func environment(t *testing.T, p assay.Place) {
	c := sh(`printf '%s|' "$ASSAY_X"; cat`)
	c.Env = []string{"ASSAY_X=a b'c"}
	c.Stdin = bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	out := mustRun(t, p, c)
	if want := "a b'c|" + string(c.Stdin); string(out.Stdout) != want {
		t.Errorf("got %d bytes, want %d: environment or stdin was changed", len(out.Stdout), len(want))
	}
}

func largeAnswer(t *testing.T, p assay.Place) {
	out := mustRun(t, p, sh("head -c 16777216 /dev/zero"))
	if len(out.Stdout) != 16<<20 {
		t.Errorf("got %d bytes, want %d", len(out.Stdout), 16<<20)
	}
}

func missingCommand(t *testing.T, p assay.Place) {
	_, err := p.Run(context.Background(), assay.Cmd{Argv: []string{"assay-no-such-command"}})
	if !errors.Is(err, assay.ErrNoCommand) {
		t.Errorf("got %v, want ErrNoCommand", err)
	}
	if err != nil && !strings.Contains(err.Error(), "assay-no-such-command") {
		t.Errorf("%q does not name the command", err)
	}
}

func bound(t *testing.T, p assay.Place) {
	c := sh("printf begun; sleep 600")
	// On a busy machine the timeout may expire before anything is printed.
	for c.Timeout = 300 * time.Millisecond; ; c.Timeout *= 2 {
		began := time.Now()
		out, err := p.Run(context.Background(), c)
		if !errors.Is(err, assay.ErrTimeout) {
			t.Errorf("got %v, want ErrTimeout", err)
		}
		if took := time.Since(began); took > c.Timeout+time.Minute {
			t.Errorf("a bound of %v took %v", c.Timeout, took)
		}
		if string(out.Stdout) == "begun" {
			return
		}
		if len(out.Stdout) > 0 || c.Timeout > 20*time.Second {
			t.Fatalf("what was printed before the bound of %v is lost: %q", c.Timeout, out.Stdout)
		}
	}
}

func cancelKillsTree(t *testing.T, p assay.Place) {
	dir := t.TempDir()
	// The parent waits for the grandchild.
	c := sh(`sh -c '`+identify+`; exec sleep 600' sh "$1" & wait`, dir)
	process := cancelWhen(t, p, c, dir+"/process")
	expectGone(t, p, process)
}

func stubborn(t *testing.T, p assay.Place) {
	dir := t.TempDir()
	c := sh(`trap '' TERM INT HUP; `+identify+`; while :; do sleep 1; done`, dir)
	began := time.Now()
	process := cancelWhen(t, p, c, dir+"/process")
	if took := time.Since(began); took > patience/2 {
		t.Errorf("a command that ignores SIGTERM took %v to end", took)
	}
	expectGone(t, p, process)
}

// leftTheGroup mimics fio on a slow machine: its jobs have their own sessions, and it
// has no time to end them.
func leftTheGroup(t *testing.T, p assay.Place) {
	if out := mustRun(t, p, sh("command -v setsid")); out.Exit != 0 {
		t.Skip("needs setsid")
	}
	dir := t.TempDir()
	job := `trap "" TERM INT HUP; ` + identify + `; while :; do sleep 1; done`
	c := sh(`trap '' TERM INT HUP; setsid sh -c '`+job+`' sh "$1" & while :; do sleep 1; done`, dir)
	expectGone(t, p, cancelWhen(t, p, c, dir+"/process"))
}

// identify writes to the file "process" in $1 which process this is: its id and when it
// started, since ids are used again.
const identify = `echo "$$ $(cut -d" " -f22 "/proc/$$/stat")" > "$1/process.new"; mv "$1/process.new" "$1/process"`

// cancelWhen runs c, which writes to a file which process it is, and then cancels it. It
// returns the file's contents.
func cancelWhen(t *testing.T, p assay.Place, c assay.Cmd, file string) (process string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run(ctx, c)
		ended <- err
	}()
	wait := sh(`n=0; while [ ! -f "$1" ] && [ $n -lt 12000 ]; do sleep 0.05; n=$((n+1)); done; cat "$1"`, file)
	process = string(mustRun(t, p, wait).Stdout)
	var pid, began int
	if n, _ := fmt.Sscan(process, &pid, &began); n != 2 {
		t.Fatalf("the command never began: %q", process)
	}
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
	case <-time.After(patience):
		t.Fatalf("a cancelled command did not end within %s", patience)
	}
	return process
}

// expectGone fails if the process still runs. A zombie counts as ended.
func expectGone(t *testing.T, p assay.Place, process string) {
	t.Helper()
	// Without "PID (NAME) ", the fields are the state and, as the 20th, when it started.
	gone := sh(`n=0; while sed "s/.*) //" "/proc/$1/stat" 2>/dev/null | grep -q "^[^Z] \([^ ]* \)\{18\}$2 " && [ $n -lt 12000 ]; do sleep 0.05; n=$((n+1)); done; [ $n -lt 12000 ]`,
		strings.Fields(process)...)
	if out := mustRun(t, p, gone); out.Exit != 0 {
		t.Errorf("process %s is still running after its command was cancelled", process)
	}
}

func leftoverChild(t *testing.T, p assay.Place) {
	began := time.Now()
	out := mustRun(t, p, sh("sleep 600 & printf done"))
	if took := time.Since(began); took > patience/2 {
		t.Errorf("a background child held the command for %v", took)
	}
	if string(out.Stdout) != "done" {
		t.Errorf("stdout %q", out.Stdout)
	}
}

func cancelledBefore(t *testing.T, p assay.Place) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Run(ctx, sh("exit 0")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// heeded tests that a command is politely asked once to end, and that its last
// output is read.
func heeded(t *testing.T, p assay.Place) {
	interrupts.Reach()
	c := sh(`trap 'echo stopping; exit 3' INT; echo one; echo two; while :; do sleep 0.05; done`)
	c.Timeout = patience
	seen, calls := "", 0
	c.OnStdout = func(piece []byte) bool {
		calls++
		seen += string(piece)
		return strings.Contains(seen, "two\n")
	}
	out := mustRun(t, p, c)
	if string(out.Stdout) != "one\ntwo\nstopping\n" || out.Exit != 3 || !out.Asked {
		t.Errorf("stdout %q, exit %d, asked %v", out.Stdout, out.Exit, out.Asked)
	}
	if seen != "one\ntwo\n" || calls > 2 {
		t.Errorf("it was shown %q in %d calls, also after it had enough", seen, calls)
	}
}

// heard tests that every byte is shown of a command that is never asked to end.
func heard(t *testing.T, p assay.Place) {
	c := sh(`i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done; printf end`)
	var seen bytes.Buffer
	c.OnStdout = func(piece []byte) bool { seen.Write(piece); return false }
	out := mustRun(t, p, c)
	if out.Asked || out.Exit != 0 || !bytes.HasSuffix(out.Stdout, []byte("line 1999\nend")) {
		t.Errorf("asked %v, exit %d, %d bytes", out.Asked, out.Exit, len(out.Stdout))
	}
	if !bytes.Equal(seen.Bytes(), out.Stdout) {
		t.Errorf("it was shown %d bytes of %d", seen.Len(), len(out.Stdout))
	}
}

func severalAtOnce(t *testing.T, p assay.Place) {
	const n = 8
	results := make(chan string, n)
	for i := range n {
		go func() {
			out, err := p.Run(context.Background(), sh(`printf '%s' "$1"`, strconv.Itoa(i)))
			if err != nil {
				results <- err.Error()
				return
			}
			if string(out.Stdout) != strconv.Itoa(i) {
				results <- "answers were mixed up"
				return
			}
			results <- ""
		}()
	}
	for range n {
		if r := <-results; r != "" {
			t.Error(r)
		}
	}
}

// gated tests that a command begins only once its gate has opened, with all of its
// stdin.
func gated(t *testing.T, p assay.Place) {
	for _, stdin := range []string{"", "fed"} {
		name := strings.TrimSpace(string(mustRun(t, p, sh("mktemp -u")).Stdout))
		open, undone := make(chan struct{}), make(chan error, 1)
		c := sh(`cat; cat "$1"; rm -f "$1"`, name)
		c.Stdin = []byte(stdin)
		c.Gate = func() <-chan struct{} {
			go func() {
				_, err := p.Run(context.Background(), sh(`printf before >"$1"`, name))
				undone <- err
				close(open)
			}()
			return open
		}
		out := mustRun(t, p, c)
		if err := <-undone; err != nil {
			t.Fatal(err)
		}
		if string(out.Stdout) != stdin+"before" {
			t.Errorf("it printed %q and %q, want what was there when its gate opened", out.Stdout, out.Stderr)
		}
	}
}

// shutOut tests that a command waiting at its gate can be cancelled and has not
// begun.
func shutOut(t *testing.T, p assay.Place) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := sh("echo begun")
	c.Gate = func() <-chan struct{} {
		cancel()
		return nil
	}
	if out, err := p.Run(ctx, c); !errors.Is(err, context.Canceled) || len(out.Stdout) > 0 {
		t.Errorf("%v, and it printed %q", err, out.Stdout)
	}
}
