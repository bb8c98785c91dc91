package main

import (
	"bytes"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// Commands that inject faults and wait for the consequences.

const (
	// patience bounds every wait: far more than needed, even on a busy machine.
	patience = 10 * time.Minute
	poll     = 20 * time.Millisecond
)

// until polls for a condition, within a bound.
func until(bound time.Duration, met func() bool) bool {
	for end := time.Now().Add(bound); ; time.Sleep(poll) {
		if met() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// await PATTERN waits until a file matches.
func cmdAwait(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await PATTERN")
	}
	if !until(patience, func() bool {
		found, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		return len(found) > 0
	}) {
		ts.Fatalf("%s did not appear within %s", args[0], patience)
	}
}

// [!] running NAME waits until a process of this script has that name, or none
// has.
func cmdRunning(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] running NAME")
	}
	if !until(patience, func() bool { return (processes(ts, args[0]) > 0) != neg }) {
		ts.Fatalf("%d processes are called %s after %s", processes(ts, args[0]), args[0], patience)
	}
}

// processes counts the processes that this script started, at any depth: they
// have its WORK in their environment.
func processes(ts *testscript.TestScript, name string) (n int) {
	ours := []byte("WORK=" + ts.Getenv("WORK"))
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		comm, _ := os.ReadFile(filepath.Join(dir, "comm"))
		if strings.TrimSpace(string(comm)) != name {
			continue
		}
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		for _, word := range bytes.Split(env, []byte{0}) {
			if bytes.Equal(word, ours) {
				n++
				break
			}
		}
	}
	return n
}

// background is the command signalled last.
type background struct{ cmd *exec.Cmd }

// signal NAME... sends signals, 10 ms apart, to the last background command, which they
// must end: soon, even if its work takes a minute.
func cmdSignal(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}
	all := ts.BackgroundCmds()
	if neg || len(args) == 0 || len(all) == 0 {
		ts.Fatalf("usage: signal NAME..., after a command in the background")
	}
	last := all[len(all)-1]
	ts.Value("background").(*background).cmd = last
	began := time.Now()
	for i, name := range args {
		if i > 0 {
			time.Sleep(10 * time.Millisecond)
		}
		ts.Check(last.Process.Signal(signals[name]))
	}
	gone := func() bool { return syscall.Kill(last.Process.Pid, 0) != nil }
	for i := 0; i < int(patience/time.Second) && !until(time.Second, gone); i++ {
		if len(args) > 1 { // a busy machine may merge two that come at once
			_ = last.Process.Signal(signals[args[len(args)-1]])
		}
	}
	if !gone() {
		ts.Fatalf("still there %s after SIG%s", patience, args)
	}
	ts.Logf("gone %s after SIG%s", time.Since(began).Round(time.Millisecond), args)
}

// ended CODE|SIGNAL-NUMBER checks, after wait, how the signalled command ended.
func cmdEnded(ts *testscript.TestScript, neg bool, args []string) {
	state := ts.Value("background").(*background).cmd.ProcessState
	if neg || len(args) != 1 || state == nil {
		ts.Fatalf("usage: ended CODE, after signal and wait")
	}
	if strconv.Itoa(state.ExitCode()) != args[0] {
		ts.Fatalf("it ended with %v, want exit status %s", state, args[0])
	}
}

// tmpfs DIR OPTIONS mounts a small file system, until the script ends.
func cmdTmpfs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tmpfs DIR OPTIONS")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	options, flags := args[1], uintptr(0)
	if rest, ro := strings.CutPrefix(options, "ro,"); ro {
		options, flags = rest, syscall.MS_RDONLY
	}
	ts.Check(syscall.Mount("tmpfs", dir, "tmpfs", flags, options))
	ts.Defer(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
}

// basics are what any machine has: a shell and coreutils.
const basics = "sh cat cut date dd df echo env find fincore grep head id kill ls mkdir mv nproc od " +
	"printf ps pwd readlink realpath rm sed seq setsid sleep sort stat sync tail test timeout touch tr true false truncate uname wc"

// only-tools NAME... leaves the script only assay, the basics and the named
// tools, and makes bin the first and only directory of its PATH.
func cmdOnlyTools(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: only-tools NAME...")
	}
	bin := ts.MkAbs("bin")
	ts.Check(os.MkdirAll(bin, 0o755))
	for _, name := range append(strings.Fields(basics), append(args, "assay")...) {
		for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && info.Mode()&0o111 != 0 {
				if _, err := os.Lstat(filepath.Join(bin, name)); err != nil {
					ts.Check(os.Symlink(path, filepath.Join(bin, name)))
				}
				break
			}
		}
	}
	ts.Setenv("PATH", bin)
}

// captured PROBE/NAME FILE copies a captured output of a tool, from the tests of
// its probe.
func cmdCaptured(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: captured PROBE/NAME FILE")
	}
	probe, name, _ := strings.Cut(args[0], "/")
	data, err := os.ReadFile(filepath.Join("../../probe", probe, "testdata", name))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}

// sql FILE STATEMENT changes a database behind assay's back.
func cmdSQL(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sql FILE STATEMENT")
	}
	db, err := sql.Open("sqlite", "file:"+ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	if _, err := db.Exec(args[1]); err != nil {
		ts.Fatalf("%s: %s: %v", args[0], args[1], err)
	}
}
