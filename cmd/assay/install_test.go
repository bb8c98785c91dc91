package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/run/session"
)

// fakeApt shadows the host's own: it logs its calls, and installs what the lab
// took away.
const fakeApt = `#!/bin/sh
echo "$*" >>/run/apt.log
case $1 in
update)
	echo 'E: The repository https://enterprise.example is not signed.' >&2
	exit 100 ;;
install)
	case $(hostname) in
	first)
		# It ends when somebody has seen the others end.
		n=0
		until [ -e /run/go ]; do n=$((n + 1)); [ $n -lt 6000 ] || exit 1; sleep 0.1; done ;;
	liar) exit 0 ;;
	broken)
		echo 'E: Unable to locate package fio' >&2
		exit 100 ;;
	esac
	for word; do
		if [ -e "/usr/bin/$word.away" ]; then mv "/usr/bin/$word.away" "/usr/bin/$word"; fi
	done
	echo installed >>/run/apt.log ;;
esac
`

// needing returns a lab of these hosts, without fio and with a fake package
// manager; "plain" has no sudo either.
func needing(t *testing.T, names ...string) *hosts.Lab {
	t.Helper()
	for _, tool := range []string{"fio", "sysbench", "iperf3", "ping", "apt-get"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("a host has what this machine has: %v", err)
		}
	}
	all := likeHosts(names...)
	for i := range all {
		all[i].Sudo = all[i].Name != "plain"
	}
	l := hoststest.Up(t, all)
	for _, name := range names {
		if err := l.Break(t.Context(), name, hosts.NoTool, "fio"); err != nil {
			t.Fatal(err)
		}
		inside(t, l, name, `printf %s "$1" >/usr/local/bin/apt-get; chmod 755 /usr/local/bin/apt-get`, fakeApt)
	}
	return l
}

// inside runs a script as root on a host of the lab.
func inside(t *testing.T, l *hosts.Lab, host, script string, args ...string) string {
	t.Helper()
	out, err := l.Run(t.Context(), host, append([]string{"sh", "-c", script, "sh"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// aptLog returns the calls of the host's package manager, one per line.
func aptLog(t *testing.T, l *hosts.Lab, host string) string {
	t.Helper()
	return inside(t, l, host, "cat /run/apt.log 2>/dev/null || :")
}

// fioStates returns the state of fio on each host, from the doctor's JSON.
func fioStates(t *testing.T, text string) map[string]string {
	t.Helper()
	var doc struct{ Hosts []session.HostDiagnosis }
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	states := map[string]string{}
	for _, d := range doc.Hosts {
		for _, l := range d.Tools {
			if l.Tool == "fio" {
				states[d.Host] = l.State
			}
		}
	}
	return states
}

// inOrder reports whether the words appear in the text in this order.
func inOrder(text string, words ...string) bool {
	for _, w := range words {
		_, rest, found := strings.Cut(text, w)
		if !found {
			return false
		}
		text = rest
	}
	return true
}

const (
	aptUpdate  = "update -q\n"
	aptInstall = "install -y -q --no-install-recommends fio\n"
)

func TestDoctorInstallsOnACluster(t *testing.T) {
	t.Parallel()
	names := []string{"first", "plain", "liar", "broken"}
	l := needing(t, names...)
	file, db := clusterFile(t, l, ""), filepath.Join(t.TempDir(), "assay.db")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	doctor := []string{"doctor", "-i", file, "--format", "json", "--install-tools"}

	t.Run("nobody says yes", func(t *testing.T) {
		got := assayed(ctx, db, doctor...)
		if got.status != exitFailed || !inOrder(got.stderr, "host plain", "needs root", "first: fio, with apt", "liar: fio", "broken: fio", "nothing was installed", "hint: ") {
			t.Errorf("status %d\n%s", got.status, got.stderr)
		}
		states := fioStates(t, got.stdout)
		for _, host := range names {
			if log := aptLog(t, l, host); log != "" || states[host] != "missing" {
				t.Errorf("%s: fio is %q, and apt-get was called: %s", host, states[host], log)
			}
		}
	})

	t.Run("yes to all", func(t *testing.T) {
		// first is still installing when the others have finished: hosts do not wait
		// for each other.
		seen := make(chan bool, 1)
		go func() {
			done := until(patience, func() bool {
				for _, host := range []string{"liar", "broken"} {
					if out, err := l.Run(ctx, host, "cat", "/run/apt.log"); err != nil || !strings.Contains(out, "install") {
						return false
					}
				}
				return true
			})
			_, err := l.Run(ctx, "first", "touch", "/run/go")
			seen <- done && err == nil
		}()
		got := assayed(ctx, db, append(doctor, "--yes")...)
		if !<-seen {
			t.Error("the others waited for the first host")
		}
		if got.status != exitPartial {
			t.Errorf("status %d, want %d", got.status, exitPartial)
		}
		// Each host's lines are grouped, in the file's order, although first finished
		// last.
		if !inOrder(got.stderr,
			"assay: host plain: installing fio needs root", "hint: set user: root or sudo: true in "+file, "apt-get install",
			"first: fio, with apt",
			"first: apt-get update -q\n", "first: continuing with the existing package lists: ", "is not signed", "first: apt-get "+aptInstall,
			"liar: apt-get update", "liar: apt-get install",
			"broken: apt-get update", "broken: apt-get install", "apt-get on broken failed: E: Unable to locate package fio", "hint: install by hand on it: apt-get ",
			"host liar: apt has nothing newer, and fio is still missing") {
			t.Errorf("stderr:\n%s", got.stderr)
		}
		states := fioStates(t, got.stdout)
		for host, want := range map[string]struct{ log, state string }{
			"first": {aptUpdate + aptInstall + "installed\n", "ok"}, "plain": {"", "missing"},
			"liar": {aptUpdate + aptInstall, "missing"}, "broken": {aptUpdate + aptInstall, "missing"},
		} {
			if log := aptLog(t, l, host); log != want.log || states[host] != want.state {
				t.Errorf("%s: fio is %q, want %q; apt-get was called:\n%swant:\n%s", host, states[host], want.state, log, want.log)
			}
		}
	})

	// A run continues with what there is: first has everything, the others lack
	// fio.
	t.Run("a run", func(t *testing.T) {
		inside(t, l, "first", "rm /run/apt.log")
		got := assayed(ctx, db, "run", "-i", file, "--only", "cpu-1,syncwrite-4k", "--repeats", "1", "--length", "1s", "--install-tools", "--yes")
		if got.status != exitPartial && got.status != exitRejected {
			t.Errorf("status %d\n%s", got.status, got.stderr)
		}
		if log := aptLog(t, l, "first"); log != "" || !strings.Contains(got.stderr, "host plain: installing fio needs root") || !strings.Contains(got.stdout, "fio is not installed") {
			t.Errorf("first, which lacks nothing, was asked for %q\n%s%s", log, got.stderr, got.stdout)
		}
	})
}

// A host that cannot be fixed, and a user at a terminal.
func TestDoctorAsksOnATerminal(t *testing.T) {
	t.Parallel()
	l := needing(t, "second", "plain")
	file := clusterFile(t, l, "")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	for _, c := range []struct {
		answer string
		status int
		log    string
		state  string
	}{
		{"\n", exitFailed, "", "missing"},
		{"no\n", exitFailed, "", "missing"},
		{"y\n", exitPartial, aptUpdate + aptInstall + "installed\n", "ok"},
	} {
		keyboard, screen := terminalPair(t)
		if _, err := keyboard.WriteString(c.answer); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		status := execute(ctx, []string{"doctor", "-i", file, "--install-tools", "--format", "json"}, newApp(screen, &stdout, &stderr))
		if status != c.status || strings.Count(stderr.String(), "install them? [y/N]") != 1 {
			t.Errorf("answer %q: status %d, want %d, after one question\n%s", c.answer, status, c.status, &stderr)
		}
		if log, state := aptLog(t, l, "second"), fioStates(t, stdout.String())["second"]; log != c.log || state != c.state {
			t.Errorf("answer %q: fio is %q, want %q, and apt-get was called:\n%s", c.answer, state, c.state, log)
		}
	}
	// If nothing can be done, nobody is asked.
	got := assayed(ctx, filepath.Join(t.TempDir(), "assay.db"), "doctor", "-i", file, "--install-tools")
	if got.status != exitPartial || strings.Contains(got.stderr, "nothing was installed") || !strings.Contains(got.stderr, "host plain") {
		t.Errorf("status %d\n%s", got.status, got.stderr)
	}
}

// terminalPair returns both ends of a terminal: what is written to keyboard is
// typed at screen.
func terminalPair(t *testing.T) (keyboard, screen *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("needs a terminal: %v", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skipf("needs a terminal: %v", err)
	}
	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skipf("needs a terminal: %v", err)
	}
	screen, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("needs a terminal: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	return keyboard, screen
}

func TestInstallingFromARecordingIsRefused(t *testing.T) {
	recording, err := filepath.Abs("testdata/recordings/baseline.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"doctor", "run"} {
		got := assayed(t.Context(), filepath.Join(t.TempDir(), "assay.db"), verb, "--dir", "/srv/assay-test", "--replay", recording, "--install-tools", "--yes")
		if got.status != exitUsage || !strings.Contains(got.stderr, "--replay are mutually exclusive") || got.stdout != "" {
			t.Errorf("%s: status %d\n%s", verb, got.status, got.stderr)
		}
	}
}
