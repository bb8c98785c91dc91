package kube

import (
	"context"
	_ "embed" // the script that makes and throttles devices
	"fmt"
	"regexp"
	"strconv"
)

//go:embed device.sh
var deviceScript string

// Pace limits a device, in bytes and operations per second; 0 means no limit.
type Pace struct{ ReadRate, WriteRate, ReadIOPS, WriteIOPS int64 }

// Stick is the pace of a cheap USB stick.
var Stick = Pace{ReadRate: 40 << 20, WriteRate: 16 << 20, ReadIOPS: 1500, WriteIOPS: 300}

// Device is a block device of a node.
type Device struct {
	Path    string // on the node and in its privileged pods
	Backing string // its backing file, as the kernel names it
}

var deviceName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,20}$`)

// AddDevice gives a node another block device, of that size and pace, on its
// disk. A device that the node already has is left as it is. Pods are throttled
// once they are a third of a second old; the node itself is not.
func (l *Lab) AddDevice(ctx context.Context, node, name string, bytes int64, p Pace) (Device, error) {
	if err := l.node(node); err != nil {
		return Device{}, err
	}
	if !deviceName.MatchString(name) || bytes < 1<<20 {
		return Device{}, fmt.Errorf("no device %q of %d B can be made: small letters and digits, and 1 MiB at least", name, bytes)
	}
	// The name carries the lab's mark: a loop device outlives its host, and is
	// found by that mark.
	d := Device{Path: "/dev/lab-" + name, Backing: "/var/lib/lab/volumes/" + l.mark(node) + "-" + name + ".img"}
	argv := []string{"sh", "-euc", deviceScript, "device", d.Path, d.Backing, strconv.FormatInt(bytes, 10)}
	for _, bound := range []int64{p.ReadRate, p.WriteRate, p.ReadIOPS, p.WriteIOPS} {
		argv = append(argv, strconv.FormatInt(bound, 10))
	}
	_, err := l.Run(ctx, node, argv...)
	return d, err
}
