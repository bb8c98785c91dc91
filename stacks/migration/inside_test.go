package migration

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/place/local"
)

// bound tells slow from hung.
const bound = 10 * time.Minute

// insides returns the pids of the responder at an address, the main process first, then its
// workers. A worker's may be the lower one: the kernel starts again at the lowest.
func insides(t *testing.T, address string) (all []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	parents := map[int]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		argv := strings.Split(string(text), "\x00")
		if err != nil || len(argv) < 6 || argv[2] != insideScript || argv[4] != address {
			continue
		}
		pid, err := strconv.Atoi(strings.Split(file, "/")[2])
		if err != nil {
			t.Fatal(err)
		}
		status, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "status"))
		_, parent, _ := strings.Cut(string(status), "\nPPid:\t")
		parent, _, _ = strings.Cut(parent, "\n")
		parents[pid], _ = strconv.Atoi(parent) // 0 if it has ended meanwhile
		all = append(all, pid)
	}
	for i, pid := range all {
		if _, worker := parents[parents[pid]]; !worker {
			all[0], all[i] = all[i], all[0]
			break
		}
	}
	return all
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(bound); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", bound, what)
		}
	}
}

// begun starts the responder on a loopback address; it ends after silence without a question.
func begun(t *testing.T, at assay.Place, address string, load int64, silence string) (Move, Door) {
	t.Helper()
	if _, err := exec.LookPath("perl"); err != nil {
		t.Skip("needs perl")
	}
	m := move()
	m.Address = address
	c := m.Begin(load)
	if silence != "" {
		c.Argv[9] = silence
	}
	out, err := at.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ReadDoor(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, pid := range insides(t, address) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return m, d
}

// watching is a running Observe.
type watching struct {
	t      *testing.T
	enough chan struct{}
	over   chan struct{}
	out    assay.Output
	err    error
}

func observe(t *testing.T, at assay.Place, c assay.Cmd) *watching {
	t.Helper()
	w := &watching{t: t, enough: make(chan struct{}), over: make(chan struct{})}
	answers := make(chan struct{})
	var printed []byte
	answered := false
	c.OnStdout = func(piece []byte) bool {
		printed = append(printed, piece...)
		if !answered && bytes.Contains(printed, []byte("udp answers\n")) && bytes.Contains(printed, []byte("tcp answers\n")) {
			answered = true
			close(answers)
		}
		select {
		case <-w.enough:
			return true
		default:
			return false
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*bound)
	go func() {
		defer close(w.over)
		defer cancel()
		w.out, w.err = at.Run(ctx, c)
	}()
	select {
	case <-answers:
	case <-w.over:
		t.Fatalf("nobody asked: %v, %q", w.err, w.out.Stderr)
	}
	return w
}

func (w *watching) seen() Seen {
	w.t.Helper()
	close(w.enough)
	<-w.over
	s, err := ReadSeen(w.out.Stdout)
	if err != nil || w.err != nil {
		w.t.Fatalf("%v, %v: %q", err, w.err, w.out.Stderr)
	}
	return s
}

// The responder is stopped for half a second: both ways of asking see the pause, its own clock
// does not.
func TestAPauseIsSeen(t *testing.T) {
	t.Parallel()
	const address = "127.0.83.1"
	at := local.New("here", "0123456789abcdef") // marked like a run's commands, to be ended with it
	m, d := begun(t, at, address, 8<<20, "")
	await(t, "what works beside it does", func() bool {
		held, written := false, false
		for _, pid := range insides(t, address) {
			process := "/proc/" + strconv.Itoa(pid)
			text, _ := os.ReadFile(process + "/statm")
			sizes := append(strings.Fields(string(text)), "", "")
			pages, _ := strconv.Atoi(sizes[1])
			held = held || pages*os.Getpagesize() > 32<<20
			files, _ := filepath.Glob(process + "/fd/*")
			for _, f := range files {
				to, _ := os.Readlink(f)
				written = written || strings.Contains(to, "assay-write-") && strings.HasSuffix(to, "(deleted)")
			}
		}
		return held && written
	})
	before := time.Now() // a busy machine may have asked last long before the stop
	w := observe(t, at, m.Observe(d))
	pid := insides(t, address)[0]
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	await(t, "it is stopped", func() bool {
		text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		return bytes.Contains(text, []byte(") T "))
	})
	stopped := time.Now()
	time.Sleep(500 * time.Millisecond) // what is measured
	least := time.Since(stopped).Seconds()
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	s := w.seen()
	most := time.Since(before).Seconds()
	least -= s.Paused // the observer may have read the last answer late
	for by, asked := range map[string]Asked{"UDP": s.UDP, "TCP": s.TCP} {
		if gap, ok := asked.Gap(); !ok && least > 0 || gap.Seconds() < least || gap.Seconds() > most {
			t.Errorf("%s: stopped for %.3f to %.3f s, and %+v is seen", by, least, most, gap)
		}
	}
	if s.TCP.Lost() > 0 || len(s.Broken) > 0 {
		t.Errorf("TCP lost %v questions, %v broke", s.TCP.Lost(), s.Broken)
	}
	if len(s.Load) == 0 || s.Memory != 32<<20 || s.Disk == "" {
		t.Errorf("inside: %d, %v, %q", len(s.Load), s.Memory, s.Disk)
	}
	await(t, "nothing is left", func() bool { return len(insides(t, address)) == 0 })
}

// Whatever happens to the observer, the responder inside and its workers end.
func TestNothingIsLeftInside(t *testing.T) {
	t.Parallel()
	t.Run("nobody asks", func(t *testing.T) {
		t.Parallel()
		const address = "127.0.83.2"
		at := local.New("here", "")
		m, d := begun(t, at, address, 8<<20, "1")
		ctx, cancel := context.WithCancel(t.Context())
		c := m.Observe(d)
		c.OnStdout = func([]byte) bool { cancel(); return false } // it is killed after the first answer
		_, _ = at.Run(ctx, c)
		await(t, "nothing is left", func() bool { return len(insides(t, address)) == 0 })
	})
	t.Run("it is killed", func(t *testing.T) {
		t.Parallel()
		const address = "127.0.83.3"
		begun(t, local.New("here", ""), address, 8<<20, "")
		await(t, "all of it runs", func() bool { return len(insides(t, address)) == 3 })
		if err := syscall.Kill(insides(t, address)[0], syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		await(t, "nothing is left", func() bool { return len(insides(t, address)) == 0 })
	})
}

// The observer ends when nobody reads its output any more: assay was killed, and its ssh with
// it. Otherwise it would keep asking, and the responder running, for hours.
func TestWhoAsksEndsWithWhoReads(t *testing.T) {
	t.Parallel()
	for address, answers := range map[string]bool{"127.0.83.5": true, "127.0.83.6": false} {
		t.Run(map[bool]string{true: "it is answered", false: "it is not"}[answers], func(t *testing.T) {
			t.Parallel()
			m, d := begun(t, local.New("here", ""), address, 0, "")
			if !answers {
				_ = syscall.Kill(insides(t, address)[0], syscall.SIGKILL)
				await(t, "nothing answers", func() bool { return len(insides(t, address)) == 0 })
			}
			c := m.Observe(d)
			cmd := exec.CommandContext(t.Context(), c.Argv[0], c.Argv[1:]...)
			cmd.Stdin = bytes.NewReader(c.Stdin)
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() { defer close(ended); _, _ = cmd.Process.Wait() }()
			if _, err := out.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			if err := out.Close(); err != nil {
				t.Fatal(err)
			}
			select {
			case <-ended:
			case <-time.After(bound):
				_ = cmd.Process.Kill()
				t.Error("it asks on")
			}
		})
	}
}

// An observer without the key gets no answer.
func TestTheKey(t *testing.T) {
	t.Parallel()
	at := local.New("here", "")
	m, d := begun(t, at, "127.0.83.4", 0, "")
	d.key = strings.Repeat("0", 16)
	c := m.Observe(d)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	out, _ := at.Run(ctx, c)
	if len(out.Stdout) > 0 && !bytes.HasPrefix(out.Stdout, []byte("tcp broke")) {
		t.Errorf("it said %q", out.Stdout)
	}
}

func TestReadDoor(t *testing.T) {
	if d, err := ReadDoor(assay.Output{Stdout: []byte("ready 40000 40001 0123456789abcdef\n")}); err != nil || d != (Door{40000, 40001, "0123456789abcdef"}) {
		t.Errorf("%+v, %v", d, err)
	}
	for says, out := range map[string]assay.Output{
		"no perl": {Exit: 127}, "no socket": {Exit: 2, Stderr: []byte("no socket: x\n")}, "is no port": {Stdout: []byte("ready 70000 1 0123456789abcdef\n")}, "exited 0": {},
	} {
		if d, err := ReadDoor(out); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %+v, %v", out, d, err)
		}
	}
}
