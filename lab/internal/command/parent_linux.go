package command

import (
	"os"
	"syscall"
)

func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// endTogether makes a program the first process of a PID namespace: when it ends, the kernel
// ends the others. Without root, that requires a user namespace.
func endTogether(a *syscall.SysProcAttr) {
	a.Cloneflags |= syscall.CLONE_NEWPID
	if os.Geteuid() == 0 {
		return
	}
	a.Cloneflags |= syscall.CLONE_NEWUSER
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
}
