package guest_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/internal/powershell"
	"assay/place/guest"
)

// taskkill stands in for Windows' own: /F /T /PID N ends N and all that it started.
func taskkill(words []string) int {
	if len(words) != 4 || !slices.Equal(words[:3], []string{"/F", "/T", "/PID"}) {
		return 1
	}
	pid, err := strconv.Atoi(words[3])
	if err != nil || syscall.Kill(pid, 0) != nil {
		os.Stderr.WriteString("ERROR: The process \"" + words[3] + "\" not found.\r\n")
		return 128
	}
	for _, p := range append([]int{pid}, childrenOf(pid)...) {
		_ = syscall.Kill(p, syscall.SIGKILL)
	}
	return 0
}

// shell stands in for PowerShell: it runs no script, and answers with what it was given.
func shell(argv []string) int {
	var given map[string]any
	script, err := powershell.Given(argv, &given)
	if err != nil {
		os.Stderr.WriteString(err.Error())
		return 1
	}
	out, err := powershell.Answer(map[string]any{"script": script, "given": given})
	if err != nil {
		return 1
	}
	_, _ = os.Stdout.Write(out)
	return 0
}

// A script, and a value that could be one, arrive unchanged through the real agent and both
// hypervisors' commands, even if they are long.
func TestWindowsIsGivenValues(t *testing.T) {
	long := "Answer $given\n" + strings.Repeat("# ä\n$x = 'y'\n", 200)
	for word, name := range map[string]string{"libvirt": "db", "proxmox": "101"} {
		w := windows(t, word, name)
		const hostile = "D:\\it's \"; Remove-Item C:\\ -Recurse; $(whoami) & ü"
		argv, err := powershell.Command(long, map[string]string{"dir": hostile})
		if err != nil {
			t.Fatal(err)
		}
		out, err := w.Run(t.Context(), assay.Cmd{Argv: argv})
		if err != nil || out.Exit != 0 {
			t.Fatalf("%s: exit %d, %s, %v", word, out.Exit, out.Stderr, err)
		}
		var said struct {
			Script string
			Given  map[string]string
		}
		if err := powershell.Read(out.Stdout, &said); err != nil || said.Script != powershell.Slim(long) || said.Given["dir"] != hostile {
			t.Errorf("%s: %q, %v", word, said.Given, err)
		}
	}
}

func childrenOf(pid int) (all []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		text, _ := os.ReadFile(file)
		words := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		child, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err == nil && len(words) > 1 && words[1] == strconv.Itoa(pid) {
			all = append(append(all, child), childrenOf(child)...)
		}
	}
	return all
}

// windows is a place whose guest is this machine: the agent is real, and starts Linux
// programs. Only taskkill is a stand-in.
func windows(t *testing.T, word, name string) *guest.Windows {
	t.Helper()
	return guest.NewWindows(assay.Host{Name: "win"}, guest.Options{Hypervisor: serve(t), Agent: agentOf(t, word, name)})
}

// Through both hypervisors' commands.
func TestWindowsRuns(t *testing.T) {
	for word, name := range map[string]string{"libvirt": "db", "proxmox": "101"} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			w := windows(t, word, name)
			if w.Host().OS != assay.Windows {
				t.Errorf("%+v", w.Host())
			}
			out, err := w.Run(t.Context(), assay.Cmd{Argv: []string{"sh", "-c", `cat; printf '%s|' "$@" >&2; exit 7`, "sh", `a"; Remove-Item`, "$(reboot)", "", "a\nb", "ü"}, Stdin: []byte("in"), Env: []string{"LC_ALL=C"}})
			if err != nil || string(out.Stdout) != "in" || out.Exit != 7 || string(out.Stderr) != "a\"; Remove-Item|$(reboot)||a\nb|ü|" {
				t.Errorf("%q, %q, exit %d, %v", out.Stdout, out.Stderr, out.Exit, err)
			}
			if out.Started.IsZero() || out.Elapsed <= 0 {
				t.Errorf("started %v, elapsed %v", out.Started, out.Elapsed)
			}
			heard := ""
			_, err = w.Run(t.Context(), assay.Cmd{Argv: []string{"echo", "a line"}, OnStdout: func(b []byte) bool { heard += string(b); return false }})
			if err != nil || heard != "a line\n" {
				t.Errorf("heard %q, %v", heard, err)
			}
			if _, err := w.Run(t.Context(), assay.Cmd{Argv: []string{"fio-of-nobody.exe"}}); !errors.Is(err, assay.ErrNoCommand) || assay.Hint(err) == "" {
				t.Errorf("a program that is not there: %v", err)
			}
			const more = 100
			if out, err := w.Run(t.Context(), assay.Cmd{Argv: []string{"head", "-c", "200", "/dev/zero"}, Limit: more}); !errors.Is(err, assay.ErrTooLong) || len(out.Stdout) != more {
				t.Errorf("%d bytes, %v", len(out.Stdout), err)
			}
		})
	}
}

// A command that times out or is cancelled ends together with what it started.
func TestWindowsEndsTheTree(t *testing.T) {
	w := windows(t, "libvirt", "db")
	dir := t.TempDir()
	tree := func(name string) assay.Cmd {
		return assay.Cmd{Argv: []string{"sh", "-c", `sh -c 'echo $$ >"$1.new"; mv "$1.new" "$1"; exec sleep 1000' sh "$1" & echo begun; wait`, "sh", filepath.Join(dir, name)}}
	}
	ended := func(name string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		for until := time.Now().Add(10 * time.Minute); pid <= 0 || alive(pid); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("process %d of %s still runs", pid, name)
			}
		}
	}
	c := tree("late")
	c.Timeout = 2 * time.Second // sh has begun by then; if it needs longer, nothing is left either
	out, err := w.Run(t.Context(), c)
	if !errors.Is(err, assay.ErrTimeout) || !strings.Contains(err.Error(), "on win") {
		t.Fatalf("%v", err)
	}
	if _, missing := os.Stat(filepath.Join(dir, "late")); missing == nil {
		ended("late")
		if string(out.Stdout) != "begun\n" {
			t.Errorf("what it printed until then is %q", out.Stdout)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for until := time.Now().Add(10 * time.Minute); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(dir, "unwanted")); err == nil {
				return
			}
		}
	}()
	if _, err := w.Run(ctx, tree("unwanted")); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	ended("unwanted")
	if _, err := w.Run(ctx, assay.Cmd{Argv: []string{"true"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
}

// alive reports whether a process exists and has not ended: it may not have been reaped yet.
func alive(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	state := strings.TrimSpace(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

// Commands that a Windows guest cannot run are refused before anything is
// started.
func TestWindowsRefuses(t *testing.T) {
	w := guest.NewWindows(assay.Host{Name: "win"}, guest.Options{Hypervisor: mute{"nobody is asked"}, Agent: agentOf(t, "proxmox", "101")})
	for want, c := range map[string]assay.Cmd{
		"no command":                    {},
		"zero byte":                     {Argv: []string{"a\x00b"}},
		`the variable "AWS_SECRET"`:     {Argv: []string{"x"}, Env: []string{"AWS_SECRET=hush"}},
		"more than the guest agent is":  {Argv: []string{"x"}, Stdin: make([]byte, 1<<20)},
		"its guest agent cannot be ask": {Argv: []string{"x"}},
	} {
		if _, err := w.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// said is a hypervisor that starts anything, then answers with out.
type said struct {
	mute
	out assay.Output
}

func (s said) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	if slices.Contains(c.Argv, "exec") {
		return assay.Output{Stdout: []byte(`{"pid": 4242}`)}, nil
	}
	return s.out, nil
}

// Answers as Windows agents give them: how a program killed by Windows ended, more output than
// is kept, a restarted guest. Sources: testdata/README.md.
func TestWindowsAnswers(t *testing.T) {
	long := strings.Repeat("x", 16<<20)
	for name, c := range map[string]struct {
		said assay.Output
		exit int
		is   error
	}{
		"an exit status":        {assay.Output{Stdout: []byte(`{"exitcode": 3, "exited": 1, "out-data": "a\r\n"}`)}, 3, nil},
		"an exception":          {assay.Output{Stdout: []byte(`{"signal": 3221225477, "exited": 1}`)}, 0xC0000005, nil},
		"an exception, signed":  {assay.Output{Stdout: []byte(`{"signal": -1073741819, "exited": 1}`)}, 0xC0000005, nil},
		"cut":                   {assay.Output{Stdout: []byte(`{"exitcode": 0, "exited": 1, "out-data": "a", "out-truncated": 1}`)}, 0, assay.ErrTooLong},
		"cut, and not said":     {assay.Output{Stdout: []byte(`{"exitcode": 0, "exited": 1, "out-data": "` + long + `", "out-truncated": 0}`)}, 0, assay.ErrTooLong},
		"more than libvirt has": {assay.Output{Exit: 1, Stderr: []byte("error: Unable to encode message payload\n")}, 0, assay.ErrTooLong},
		"restarted":             {assay.Output{Exit: 255, Stderr: []byte("Agent error: PID 4242 does not exist\n")}, 0, assay.ErrHostGone},
		"restarted, before 9.1": {assay.Output{Exit: 255, Stderr: []byte("Agent error: Invalid parameter 'pid'\n")}, 0, assay.ErrHostGone},
	} {
		w := guest.NewWindows(assay.Host{Name: "win"}, guest.Options{Hypervisor: said{out: c.said}, Agent: agentOf(t, "proxmox", "101")})
		out, err := w.Run(t.Context(), assay.Cmd{Argv: []string{"fio.exe"}})
		if !errors.Is(err, c.is) || out.Exit != c.exit {
			t.Errorf("%s: exit %#x, %v", name, out.Exit, err)
		}
	}
}
