// Package guesttest gives tests a machine of its own in QEMU, and ends it with them.
package guesttest
