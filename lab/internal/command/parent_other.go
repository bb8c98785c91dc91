//go:build !linux

package command

import "syscall"

// dieWithParent does nothing: only Linux can.
func dieWithParent(*syscall.SysProcAttr) {}

// endTogether does nothing: only Linux can.
func endTogether(*syscall.SysProcAttr) {}
