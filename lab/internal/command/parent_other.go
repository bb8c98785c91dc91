//go:build !linux

package command

import "syscall"

// dieWithParent does nothing: only Linux can.
func dieWithParent(*syscall.SysProcAttr) {}
