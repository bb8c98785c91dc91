package faults

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/lab/hosts"
	"assay/lab/internal/laptop"
)

// spaceOf names a process's PID namespace: one per host and boot.
func spaceOf(p laptop.Process) string {
	s, _ := os.Readlink(string(p) + "/ns/pid")
	return s
}

// isFirst reports whether a process is the first in its namespace.
func isFirst(p laptop.Process) bool {
	b, _ := os.ReadFile(string(p) + "/status")
	for l := range strings.Lines(string(b)) {
		if f := strings.Fields(l); len(f) > 1 && f[0] == "NSpid:" {
			return f[len(f)-1] == "1"
		}
	}
	return false
}

// machine is a host seen from outside: nothing is started in it to inspect it.
type machine struct {
	t     *testing.T
	first laptop.Process
	space string
}

// enter finds a host that is up.
func enter(t *testing.T, l *hosts.Lab, host string) machine {
	t.Helper()
	space, err := l.Run(testContext(t), host, "readlink", "/proc/self/ns/pid")
	if err != nil {
		t.Fatal(err)
	}
	m := machine{t: t, space: strings.TrimSpace(space)}
	for _, p := range laptop.Processes() {
		if spaceOf(p) == m.space && isFirst(p) {
			m.first = p
			return m
		}
	}
	t.Fatalf("%s has no first process", host)
	return m
}

// processes returns the command lines of processes on the host, without the
// host's own: its first process, and the sleep with which that counts seconds.
func (m machine) processes() []string {
	var lines []string
	for _, p := range laptop.Processes() {
		line := p.Line()
		if spaceOf(p) != m.space || line == "" || p == m.first || line == "sleep 1" {
			continue
		}
		// sshd counts its connections there.
		line, _, _ = strings.Cut(line, " [listener]")
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// runs reports whether a program with all these words runs there.
func (m machine) runs(words ...string) bool {
	for _, p := range laptop.Processes() {
		argv := p.Argv()
		if len(argv) == 0 || filepath.Base(argv[0]) != words[0] || spaceOf(p) != m.space {
			continue
		}
		if !slices.ContainsFunc(words[1:], func(w string) bool { return !slices.Contains(argv, w) }) {
			return true
		}
	}
	return false
}

// places are directories that a program could leave files in.
var places = []string{hosts.BenchDir, "/tmp", "/run", "/home", "/root", "/dev/shm", "/var/tmp", "/var/lib/sudo", "/etc"}

// files returns the paths of all files in places.
func (m machine) files() []string {
	root := filepath.Join(string(m.first), "root")
	var all []string
	for _, place := range places {
		err := filepath.WalkDir(root+place, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				if errors.Is(err, fs.ErrNotExist) {
					return nil
				}
				return err
			}
			if !strings.Contains(path, "faketime_") { // from the library that fakes the clock
				all = append(all, strings.TrimPrefix(path, root))
			}
			return nil
		})
		if err != nil {
			m.t.Error(err)
		}
	}
	return all
}

// ports returns the host's listening TCP ports.
func (m machine) ports() []string {
	var all []string
	for _, table := range []string{"tcp", "tcp6"} {
		b, err := os.ReadFile(filepath.Join(string(m.first), "net", table))
		if err != nil {
			m.t.Error(err)
		}
		for l := range strings.Lines(string(b)) {
			if f := strings.Fields(l); len(f) > 3 && f[3] == "0A" { // LISTEN
				_, hexadecimal, _ := strings.Cut(f[1], ":")
				port, _ := strconv.ParseUint(hexadecimal, 16, 16)
				all = append(all, fmt.Sprintf("%s %d", table, port))
			}
		}
	}
	slices.Sort(all)
	return all
}

// state holds what could be left on a host.
type state struct{ processes, files, ports []string }

func (m machine) state() state { return state{m.processes(), m.files(), m.ports()} }

// more returns what is in s but not in before.
func (s state) more(before state) (added []string) {
	for _, c := range []struct {
		kind        string
		now, before []string
	}{{"process", s.processes, before.processes}, {"file", s.files, before.files}, {"port", s.ports, before.ports}} {
		count := map[string]int{}
		for _, x := range c.before {
			count[x]++
		}
		for _, x := range c.now {
			if count[x]--; count[x] < 0 {
				added = append(added, c.kind+" "+x)
			}
		}
	}
	return added
}

// expectOnly fails if the host has more on it than before.
func (m machine) expectOnly(host string, before state) {
	m.t.Helper()
	var more []string
	if !laptop.Eventually(2*time.Minute, func() bool { more = m.state().more(before); return len(more) == 0 }) {
		m.t.Errorf("%s: left behind: %q", host, more)
	}
}
