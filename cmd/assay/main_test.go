package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	// A machine holds one run at a time, whatever its database: so do the tests.
	if err := flag.Set("test.parallel", "1"); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"assay": func() { os.Exit(mainStatus()) }})
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
	env.Setenv("HOME", home)
	env.Setenv("HOSTNAME", hostname())
	env.Setenv("ASSAY_DB", filepath.Join(env.WorkDir, "assay.db"))
	env.Setenv("QUICK", "--replay="+filepath.Join(recordings, "quick.jsonl"))
	env.Setenv("BASELINE", "--replay="+filepath.Join(recordings, "baseline.jsonl"))
	env.Values["background"] = new(background)
	return nil
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

// canMount says whether file systems can be mounted here: root, and not in a
// container that forbids it.
func canMount() bool {
	dir, err := os.MkdirTemp("", "assay-mount")
	if err != nil {
		return false
	}
	defer os.Remove(dir)
	if syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k") != nil {
		return false
	}
	return syscall.Unmount(dir, 0) == nil
}
