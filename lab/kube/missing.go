package kube

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"assay"
)

// Version is the Kubernetes that build.sh builds and the tests were made with.
const Version = "1.33.13"

// needed are the programs that make a lab, with the Debian packages that hold
// them.
var needed = []struct{ program, pack string }{
	{"ip", "iproute2"}, {"ss", "iproute2"}, {"nsenter", "util-linux"}, {"unshare", "util-linux"}, {"losetup", "mount"},
	{"mount", "mount"}, {"pivot_root", "util-linux"}, {"mkfs.ext4", "e2fsprogs"}, {"fio", "fio"},
	{"dpkg", "dpkg"}, {"ldd", "libc-bin"}, {"etcd", "etcd-server"},
	{"containerd", "containerd"}, {"ctr", "containerd"}, {"runc", "runc"}, {"/usr/lib/cni/bridge", "containernetworking-plugins"},
}

// Programs is the directory of kubectl and the programs of Kubernetes, "" where
// they are not built.
func Programs() string {
	dir, err := programs()
	if err != nil {
		return ""
	}
	return dir
}

// programs gives the directory that holds what build.sh built: the one that the
// environment variable ASSAY_KUBE names, or the cache's. The error has a hint.
func programs() (string, error) {
	dir := os.Getenv("ASSAY_KUBE")
	if dir == "" {
		cache, err := cacheDir()
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

// cacheDir is what the labs share, of this user.
func cacheDir() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "assay-lab"), err
}

// Missing says why this machine can have no cluster: not root, a program that is
// not here or not built yet, or a kernel without namespaces or loop devices. nil
// if it can.
func Missing() error {
	if os.Geteuid() != 0 {
		return assay.WithHint("run it as root", "a Kubernetes needs root, for namespaces and mounts")
	}
	var absent, packs []string
	for _, n := range needed {
		if !installed(n.program) {
			absent, packs = append(absent, n.program), append(packs, n.pack)
		}
	}
	if len(absent) > 0 {
		return assay.WithHint("apt-get install "+strings.Join(packs, " "),
			"a Kubernetes needs programs that are not here: %s", strings.Join(absent, ", "))
	}
	if _, err := programs(); err != nil {
		return err
	}
	for _, device := range []string{"/dev/loop-control", "/dev/kmsg"} {
		if _, err := os.Stat(device); err != nil {
			return fmt.Errorf("a Kubernetes needs loop devices and a kernel log: %w", err)
		}
	}
	c := exec.Command("true")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces}
	if err := c.Run(); err != nil {
		return fmt.Errorf("a Kubernetes needs namespaces: %w", err)
	}
	return nil
}

// installed looks where the lab's own commands will, whatever PATH says.
func installed(program string) bool {
	if strings.HasPrefix(program, "/") {
		_, err := os.Stat(program)
		return err == nil
	}
	for dir := range strings.SplitSeq(strings.TrimPrefix(binaries, "PATH="), ":") {
		if _, err := os.Stat(dir + "/" + program); err == nil {
			return true
		}
	}
	return false
}
