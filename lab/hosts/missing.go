package hosts

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"assay"
)

// needed are the programs that make a lab, with the Debian packages that hold
// them.
var needed = []struct{ program, pack string }{
	{"ip", "iproute2"}, {"tc", "iproute2"}, {"nsenter", "util-linux"}, {"losetup", "mount"},
	{"mount", "mount"}, {"pivot_root", "util-linux"}, {"mkfs.ext4", "e2fsprogs"},
	{"ssh-keygen", "openssh-client"}, {"/usr/sbin/sshd", "openssh-server"}, {"sudo", "sudo"}, {"nft", "nftables"},
}

// Missing says why this machine can have no lab: not root, a program that is
// not here, or a kernel that makes no namespaces or loop devices. nil if it can.
func Missing() error {
	if os.Geteuid() != 0 {
		return assay.WithHint("run it as root", "a lab needs root, for namespaces and mounts")
	}
	var programs, packs []string
	for _, n := range needed {
		if !installed(n.program) {
			programs, packs = append(programs, n.program), append(packs, n.pack)
		}
	}
	if len(programs) > 0 {
		return assay.WithHint("apt-get install "+strings.Join(packs, " "),
			"a lab needs programs that are not here: %s", strings.Join(programs, ", "))
	}
	if _, err := os.Stat("/dev/loop-control"); err != nil {
		return fmt.Errorf("a lab needs loop devices: %w", err)
	}
	c := exec.Command("true")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET}
	if err := c.Run(); err != nil {
		return fmt.Errorf("a lab needs namespaces: %w", err)
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
