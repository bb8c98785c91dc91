package marked

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"assay/internal/sleep"
)

// Family is all processes of one lab.
type Family struct {
	Lab, Name string // the variables with the id and a process's name
	ID        string
	// Firsts restricts the family to the first processes of process namespaces:
	// the others in there have the same environment, and die with the first.
	Firsts bool
}

// Mark returns the environment variables of the process of that name.
func (f Family) Mark(name string) []string {
	return []string{f.Lab + "=" + f.ID, f.Name + "=" + name}
}

// Alive returns the ids of the live processes, by name.
func (f Family) Alive() map[string]int {
	found := map[string]int{}
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range environs {
		dir := filepath.Dir(file)
		b, err := os.ReadFile(file) // empty if it is dead
		if err != nil || !bytes.Contains(b, []byte(f.Lab+"="+f.ID+"\x00")) || f.Firsts && !isFirst(dir) {
			continue
		}
		for entry := range strings.SplitSeq(string(b), "\x00") {
			if name, ok := strings.CutPrefix(entry, f.Name+"="); ok {
				found[name], _ = strconv.Atoi(filepath.Base(dir))
			}
		}
	}
	return found
}

// isFirst reports whether a process is number 1 in its innermost process
// namespace, and not dead.
func isFirst(proc string) bool {
	b, _ := os.ReadFile(filepath.Join(proc, "status"))
	first := false
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		switch {
		case len(f) > 1 && f[0] == "State:" && (f[1] == "Z" || f[1] == "X"):
			return false
		case len(f) > 2 && f[0] == "NSpid:":
			first = f[len(f)-1] == "1"
		}
	}
	return first
}

// End kills the named processes, or all if none is named, and waits until they
// are gone. It checks twice, because a process has no mark for a moment during
// exec.
func (f Family) End(ctx context.Context, names ...string) error {
	for empty := 0; empty < 2; {
		left := 0
		for name, pid := range f.Alive() {
			if len(names) == 0 || slices.Contains(names, name) {
				left++
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if empty++; left > 0 {
			empty = 0
		}
		if err := sleep.For(ctx, 10*time.Millisecond); err != nil {
			return fmt.Errorf("%d processes do not die: %w", left, err)
		}
	}
	return nil
}
