// Package guesttest gives tests their own QEMU machine, and ends it with them.
package guesttest
