package garage

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"assay"
	"assay/lab/internal/command"
	"assay/lab/internal/home"
)

// Version is the Garage version that build.sh builds and the tests were made
// with.
const Version = "2.5.0"

// Program returns the path of the garage program: the one that the environment
// variable ASSAY_GARAGE names, or the one that build.sh put into the user's
// cache, or the one on the PATH. The error wraps assay.ErrNoCommand and has a
// hint.
func Program() (string, error) {
	if named := os.Getenv("ASSAY_GARAGE"); named != "" {
		return exec.LookPath(named)
	}
	if cache, err := home.Cache(); err == nil {
		built := filepath.Join(cache, "garage-"+Version, "bin", "garage")
		if found, err := exec.LookPath(built); err == nil {
			return found, nil
		}
	}
	if found, err := exec.LookPath("garage"); err == nil {
		return found, nil
	}
	return "", assay.WithHint("make lab-garage builds it, once, in some ten minutes", "garage %s: %w", Version, assay.ErrNoCommand)
}

// Missing returns why this machine cannot run Garage, or nil if it can.
func Missing() error {
	if runtime.GOOS != "linux" {
		return assay.WithHint("use a Linux machine", "a lab finds its processes in /proc, which %s has not", runtime.GOOS)
	}
	_, err := Program()
	return err
}

// CannotBound returns why the data directories cannot be bounded on this
// machine, or nil if they can.
func CannotBound() error {
	if os.Geteuid() != 0 {
		return assay.WithHint("run it as root", "a bounded data directory is a mount, and needs root")
	}
	return command.Missing("a bounded data directory", []command.Needed{{Program: "unshare", Package: "util-linux"}, {Program: "mount", Package: "mount"}})
}
