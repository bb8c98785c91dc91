package hosts

import (
	"fmt"
	"os"

	"assay"
	"assay/lab/internal/command"
	"assay/lab/internal/spaces"
)

// needed are the programs that a lab needs, with the Debian packages that
// contain them.
var needed = []command.Needed{
	{Program: "ip", Package: "iproute2"}, {Program: "tc", Package: "iproute2"}, {Program: "nsenter", Package: "util-linux"}, {Program: "losetup", Package: "mount"},
	{Program: "mount", Package: "mount"}, {Program: "pivot_root", Package: "util-linux"}, {Program: "mkfs.ext4", Package: "e2fsprogs"},
	{Program: "ssh-keygen", Package: "openssh-client"}, {Program: "/usr/sbin/sshd", Package: "openssh-server"}, {Program: "sudo", Package: "sudo"}, {Program: "nft", Package: "nftables"},
}

// Missing returns why this machine cannot have a lab: not root, a missing
// program, or a kernel without namespaces or loop devices. It returns nil if it
// can.
func Missing() error {
	if os.Geteuid() != 0 {
		return assay.WithHint("run it as root", "a lab needs root, for namespaces and mounts")
	}
	if err := command.Missing("a lab", needed); err != nil {
		return err
	}
	if _, err := os.Stat("/dev/loop-control"); err != nil {
		return fmt.Errorf("a lab needs loop devices: %w", err)
	}
	return spaces.Missing("a lab")
}
