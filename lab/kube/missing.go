package kube

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"assay"
	"assay/lab/internal/command"
	"assay/lab/internal/home"
	"assay/lab/internal/spaces"
)

// Version is the Kubernetes version that build.sh builds and the tests were
// made with.
const Version = "1.33.13"

// needed lists the programs that make a lab, and their Debian packages.
var needed = []command.Needed{
	{Program: "ip", Package: "iproute2"}, {Program: "ss", Package: "iproute2"}, {Program: "nsenter", Package: "util-linux"}, {Program: "unshare", Package: "util-linux"}, {Program: "losetup", Package: "mount"},
	{Program: "mount", Package: "mount"}, {Program: "pivot_root", Package: "util-linux"}, {Program: "mkfs.ext4", Package: "e2fsprogs"}, {Program: "fio", Package: "fio"},
	{Program: "dpkg", Package: "dpkg"}, {Program: "ldd", Package: "libc-bin"}, {Program: "etcd", Package: "etcd-server"},
	{Program: "containerd", Package: "containerd"}, {Program: "ctr", Package: "containerd"}, {Program: "runc", Package: "runc"}, {Program: "/usr/lib/cni/bridge", Package: "containernetworking-plugins"},
}

// Programs returns the directory of kubectl and the programs of Kubernetes, or
// "" if they are not built.
func Programs() string {
	dir, err := programs()
	if err != nil {
		return ""
	}
	return dir
}

// programs returns the directory of what build.sh built: the one in the
// environment variable ASSAY_KUBE, or the cache's. The error has a hint.
func programs() (string, error) {
	dir := os.Getenv("ASSAY_KUBE")
	if dir == "" {
		cache, err := home.Cache()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(cache, "kube-"+Version, "bin")
	}
	// kubectl is built last.
	if _, err := exec.LookPath(filepath.Join(dir, "kubectl")); err != nil {
		return "", assay.WithHint("make lab-kube builds it, once",
			"kubernetes %s is not in %s: %w", Version, dir, assay.ErrNoCommand)
	}
	return dir, nil
}

// Missing returns why this machine cannot have a cluster, or nil if it can: not
// root, a program that is not installed or not built, or a kernel without
// namespaces or loop devices.
func Missing() error {
	if os.Geteuid() != 0 {
		return assay.WithHint("run it as root", "a Kubernetes needs root, for namespaces and mounts")
	}
	if err := command.Missing("a Kubernetes", needed); err != nil {
		return err
	}
	if _, err := programs(); err != nil {
		return err
	}
	for _, device := range []string{"/dev/loop-control", "/dev/kmsg"} {
		if _, err := os.Stat(device); err != nil {
			return fmt.Errorf("a Kubernetes needs loop devices and a kernel log: %w", err)
		}
	}
	return spaces.Missing("a Kubernetes")
}
