package kube

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// makeDisk makes the image of a node's disk: sparse, so that it takes only what
// is written.
func makeDisk(ctx context.Context, image string) error {
	f, err := os.OpenFile(image, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Truncate(diskBytes), f.Close()); err != nil {
		return err
	}
	_, err = output(ctx, "", "mkfs.ext4", "-q", "-F", "-m", "0", image)
	return err
}

// loops gives the loop devices that hold a file of the lab, a node's disk or a
// volume on it, and those that hold such a device: with one of its own a kubelet
// keeps a block volume, by a path that nobody can tell any more.
func (l *Lab) loops() []string {
	var all, others []string
	numbers := map[string]bool{}
	backings, _ := filepath.Glob("/sys/class/block/loop*/loop/backing_file")
	for _, file := range backings {
		b, _ := os.ReadFile(file)
		block := filepath.Dir(filepath.Dir(file))
		loop := "/dev/" + filepath.Base(block)
		if !strings.Contains(string(b), l.group()) && !strings.HasPrefix(string(b), filepath.Join(l.Dir, hostsDir)+"/") {
			others = append(others, loop)
			continue
		}
		all = append(all, loop)
		b, _ = os.ReadFile(filepath.Join(block, "dev"))
		numbers[strings.TrimSpace(string(b))] = true
	}
	for _, loop := range others {
		if numbers[heldBy(loop)] {
			all = append(all, loop)
		}
	}
	return all
}

// heldBy gives the numbers of the device that a loop device holds, "" where it
// holds a file.
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

// detach waits until no loop device holds a file of the lab. Those that were
// mounted go with the last mount, which goes with the last process; the others
// are detached, what holds another first.
func (l *Lab) detach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
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
				_, _ = output(ctx, "", "losetup", "--detach", loop) // asked again below
			}
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return fmt.Errorf("%s still hold volumes of the lab: %w", strings.Join(left, ", "), err)
		}
	}
}

// groups gives the directories of the lab's control groups, one in each
// hierarchy.
func (l *Lab) groups() []string {
	var all []string
	for _, root := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/*"} {
		found, _ := filepath.Glob(filepath.Join(root, l.group()))
		all = append(all, found...)
	}
	return all
}

// removeGroups removes the control groups of a lab, which no process is in.
func (l *Lab) removeGroups(ctx context.Context) error {
	for {
		var left error
		for _, group := range l.groups() {
			var below []string
			_ = filepath.WalkDir(group, func(path string, e fs.DirEntry, err error) error {
				if err == nil && e.IsDir() {
					below = append(below, path)
				}
				return nil // one that went meanwhile
			})
			slices.Reverse(below)
			for _, dir := range below {
				if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
					left = err
				}
			}
		}
		if left == nil {
			return nil
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return errors.Join(left, err)
		}
	}
}
