//go:build !linux

package command

import "syscall"

// dieWithParent does nothing: only Linux supports it.
func dieWithParent(*syscall.SysProcAttr) {}

// endTogether does nothing: only Linux supports it.
func endTogether(*syscall.SysProcAttr) {}
