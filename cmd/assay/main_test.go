package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"assay/internal/executable"
	"assay/internal/interrupts"
	"assay/internal/patient"
)

// atOnce is how many tests run in parallel without -parallel. Most of them wait
// for measurements.
const atOnce = 6

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"assay": func() {
		if long, err := time.ParseDuration(os.Getenv("LAST_WORDS")); err == nil {
			lastWords = long
		}
		os.Exit(mainStatus())
	}})
}

// tests runs this package's tests as the machine allows.
type tests struct{ *testing.M }

func (m tests) Run() int {
	interrupts.Reach()
	if !canMount() {
		return patient.Run(m.M, 1) // all share one machine, which holds one run at a time
	}
	return patient.Run(m.M, atOnce)
}

// TestScripts runs testdata/script/*.txtar. Each script is a shell session with
// a home, a database and a directory of its own, and with the commands below.
func TestScripts(t *testing.T) {
	t.Parallel()
	recordings, err := filepath.Abs("testdata/recordings")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               func(env *testscript.Env) error { return sandbox(env, recordings) },
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      cmdExits,
			"plain":      cmdPlain,
			"binary":     cmdBinary,
			"json":       cmdJSON,
			"valid":      cmdValid,
			"empty":      cmdEmpty,
			"await":      cmdAwait,
			"running":    cmdRunning,
			"signal":     cmdSignal,
			"ended":      cmdEnded,
			"tmpfs":      cmdTmpfs,
			"only-tools": cmdOnlyTools,
			"captured":   cmdCaptured,
			"sql":        cmdSQL,
		},
	})
}

// sandbox gives a script an environment in which assay writes nowhere else.
func sandbox(env *testscript.Env, recordings string) error {
	home := filepath.Join(env.WorkDir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	path, err := ownMachine(filepath.Join(env.WorkDir, ".machine"))
	if err != nil {
		return err
	}
	program, err := exec.LookPath("assay")
	if err != nil {
		return err
	}
	env.Setenv("PATH", path)
	env.Setenv("PROGRAM", program)
	env.Setenv("HOME", home)
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	env.Setenv("HOSTNAME", host)
	env.Setenv("ASSAY_DB", filepath.Join(env.WorkDir, "assay.db"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
	env.Setenv("QUICK", "--replay="+filepath.Join(recordings, "quick.jsonl"))
	env.Setenv("BASELINE", "--replay="+filepath.Join(recordings, "baseline.jsonl"))
	env.Values["background"] = new(background)
	return nil
}

// ownMachine returns a PATH with an assay that sees a machine of its own: /run,
// which is locked while a machine is measured, is a directory in dir there. It
// needs the right to mount.
func ownMachine(dir string) (path string, err error) {
	path = os.Getenv("PATH")
	if !canMount() {
		return path, nil
	}
	var tools [3]string
	for i, name := range []string{"unshare", "mount", "assay"} {
		if tools[i], err = exec.LookPath(name); err != nil {
			return "", err
		}
	}
	run, bin := filepath.Join(dir, "run"), filepath.Join(dir, "bin")
	for _, d := range []string{run, bin} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return "", err
		}
	}
	// No lookup in PATH: a script may remove everything but assay from it.
	text := fmt.Sprintf("#!/bin/sh\nexec %s --mount /bin/sh -c '%s --bind \"$0\" /run && exec %s \"$@\"' '%s' \"$@\"\n", tools[0], tools[1], tools[2], run)
	file := filepath.Join(bin, "assay")
	if err := executable.Write(file, text); err != nil {
		return "", err
	}
	return bin + string(filepath.ListSeparator) + path, os.Chtimes(file, time.Unix(0, 0), time.Unix(0, 0))
}

func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "mount":
		return canMount(), nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// canMount reports whether file systems can be mounted here: this needs root,
// outside a container that forbids it.
var canMount = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "assay-mount")
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	if syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k") != nil {
		return false
	}
	return syscall.Unmount(dir, 0) == nil
})
