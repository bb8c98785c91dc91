package remote

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"assay"
)

func TestShellsReadTheScript(t *testing.T) {
	o := Order{Cmd: assay.Cmd{Argv: []string{"it's", "a\nb"}, Env: []string{"A=b'c"}}, Key: NewKey(), Beat: time.Second}
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
		if got := (Order{Cmd: assay.Cmd{Timeout: d}}).bound(); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
