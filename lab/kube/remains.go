package kube

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"assay/internal/sleep"
	"assay/lab/internal/command"
	"assay/lab/internal/disks"
)

// loops returns the loop devices backed by a file of the lab, a node's disk or a
// volume on it, and those backed by such a device: a kubelet holds a block
// volume with a loop device of its own, whose backing path cannot be resolved
// here.
func (l *Lab) loops() []string {
	var all, others []string
	numbers := map[string]bool{}
	for name, backing := range disks.Backings() {
		loop := "/dev/" + name
		if !strings.Contains(backing, l.group()) && !strings.HasPrefix(backing, filepath.Join(l.Dir, hostsDir)+"/") {
			others = append(others, loop)
			continue
		}
		all = append(all, loop)
		b, _ := os.ReadFile("/sys/class/block/" + name + "/dev")
		numbers[strings.TrimSpace(string(b))] = true
	}
	for _, loop := range others {
		if numbers[heldBy(loop)] {
			all = append(all, loop)
		}
	}
	return all
}

// heldBy returns the numbers of a loop device's backing device, or "" if it is
// backed by a file.
func heldBy(loop string) string {
	f, err := os.Open(loop)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := unix.IoctlLoopGetStatus64(int(f.Fd()))
	if err != nil || info.Rdevice == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d", unix.Major(info.Rdevice), unix.Minor(info.Rdevice))
}

// detach waits until no loop device is backed by a file of the lab. Those that
// were mounted go with the last mount, which goes with the last process; the
// others are detached, stacked ones first.
func (l *Lab) detach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	patience := time.Now().Add(time.Second)
	for {
		left := l.loops()
		if len(left) == 0 {
			return nil
		}
		slices.Reverse(left)
		for _, loop := range left {
			b, _ := os.ReadFile("/sys/class/block/" + filepath.Base(loop) + "/loop/autoclear")
			if strings.TrimSpace(string(b)) == "0" || time.Now().After(patience) {
				_, _ = command.Output(ctx, "", "losetup", "--detach", loop) // asked again below
			}
		}
		if err := sleep.For(ctx, 20*time.Millisecond); err != nil {
			return fmt.Errorf("%s still hold volumes of the lab: %w", strings.Join(left, ", "), err)
		}
	}
}

// groups returns the directories of the lab's control groups, one in each
// hierarchy.
func (l *Lab) groups() []string {
	var all []string
	for _, root := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/*"} {
		found, _ := filepath.Glob(filepath.Join(root, l.group()))
		all = append(all, found...)
	}
	return all
}
