package ssh

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"assay"
)

// The login shell may be any: what it sees must be one word between single
// quotes to each of them.
func TestLoginCommandIsPlain(t *testing.T) {
	for _, text := range []string{reader, asRoot} {
		if at := strings.IndexAny(text, "'\\!\n\t"); at >= 0 {
			t.Errorf("%q at %d of %q", text[at], at, text)
		}
	}
}

func TestShellsReadTheScript(t *testing.T) {
	o := order{Cmd: assay.Cmd{Argv: []string{"it's", "a\nb"}, Env: []string{"A=b'c"}}, key: newKey(), silence: time.Second}
	for _, shell := range [][]string{{"sh"}, {"dash"}, {"bash", "--posix"}, {"busybox", "sh"}, {"mksh"}} {
		path, err := exec.LookPath(shell[0])
		if err != nil {
			t.Logf("needs %s", shell[0])
			continue
		}
		cmd := exec.Command(path, append(shell[1:], "-n")...)
		cmd.Stdin = strings.NewReader(o.text())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", shell, err, out)
		}
	}
}

func TestEndings(t *testing.T) {
	for line, want := range map[string]ending{
		"status=0 fired= cpu=0m0.010000s 0m0.020000s": {known: true, cpu: 30 * time.Millisecond},
		"status=143 fired=bound cpu=1m0,5s 0m0s":      {known: true, exit: 143, fired: "bound", cpu: time.Minute + time.Second/2},
		"status=none fired= cpu=":                     {known: true, word: "none"},
		"status=lost fired=lost cpu=what ever":        {known: true, word: "lost", fired: "lost"},
	} {
		if got := parseEnding(line); got != want {
			t.Errorf("%q: %+v, want %+v", line, got, want)
		}
	}
}

func TestBoundIsNeverNothing(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "", time.Nanosecond: "0.001", 300 * time.Millisecond: "0.300", time.Hour: "3600.000"} {
		if got := (order{Cmd: assay.Cmd{Timeout: d}}).bound(); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
