package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// cannotThrottle says why devices cannot be throttled here.
type cannotThrottle struct{ err error }

func (c *cannotThrottle) Error() string { return c.err.Error() }
func (c *cannotThrottle) Unwrap() error { return c.err }

// throttle is some loop devices and a control group that limits what its
// processes, this one and all that it starts, read from them.
type throttle struct {
	group, before string // directory of this process's group, and of its former one
	file          string // where a bound is written
	format        string // of a bound: the device's numbers, operations per second
	devices       []device
}

type device struct{ path, numbers string }

// newThrottle sets everything up; it removes what it made if something fails.
func newThrottle(ctx context.Context, dir string, devices int) (*throttle, error) {
	if os.Geteuid() != 0 {
		return nil, &cannotThrottle{errors.New("a loop device needs root")}
	}
	t := &throttle{}
	if err := t.enter(); err != nil {
		return nil, &cannotThrottle{errors.Join(err, t.remove())}
	}
	for i := range devices {
		if err := t.attach(ctx, filepath.Join(dir, fmt.Sprintf("image-%d", i))); err != nil {
			return nil, &cannotThrottle{errors.Join(err, t.remove())}
		}
	}
	return t, nil
}

// enter makes the group and moves this process into it: control groups version
// 1 if that has the block devices, else version 2.
func (t *throttle) enter() error {
	root, key := "/sys/fs/cgroup/blkio", ":blkio:"
	t.file, t.format = "blkio.throttle.read_iops_device", "%s %d"
	if _, err := os.Stat(filepath.Join(root, t.file)); err != nil {
		root, key = "/sys/fs/cgroup", "0::"
		t.file, t.format = "io.max", "%s riops=%d"
		if err := put(filepath.Join(root, "cgroup.subtree_control"), "+io"); err != nil {
			return err
		}
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(own)) {
		if _, path, is := strings.Cut(strings.TrimSpace(line), key); is {
			t.before = filepath.Join(root, path)
		}
	}
	if t.before == "" {
		return errors.New("the control group of this process is not known")
	}
	group := filepath.Join(root, fmt.Sprintf("assay-bench-%d", os.Getpid()))
	if err := os.Mkdir(group, 0o750); err != nil {
		return err
	}
	t.group = group
	return put(filepath.Join(t.group, "cgroup.procs"), fmt.Sprint(os.Getpid()))
}

// attach makes a loop device from a new, empty image.
func (t *throttle) attach(ctx context.Context, image string) error {
	f, err := os.OpenFile(image, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Truncate(gateBytes), f.Close()); err != nil {
		return err
	}
	out, err := execute(ctx, []string{"losetup", "--find", "--show", "--read-only", image})
	if err != nil {
		return err
	}
	d := device{path: strings.TrimSpace(string(out.stdout))}
	t.devices = append(t.devices, d)
	numbers, err := os.ReadFile(filepath.Join("/sys/class/block", filepath.Base(d.path), "dev"))
	t.devices[len(t.devices)-1].numbers = strings.TrimSpace(string(numbers))
	return err
}

// bound limits a device to that many read operations per second.
func (t *throttle) bound(d device, iops int) error {
	return put(filepath.Join(t.group, t.file), fmt.Sprintf(t.format, d.numbers, iops))
}

// remove removes the devices and the group, even if the measurement was
// interrupted.
func (t *throttle) remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var errs []error
	for _, d := range t.devices {
		_, err := execute(ctx, []string{"losetup", "--detach", d.path})
		errs = append(errs, err)
	}
	if t.group == "" {
		return errors.Join(errs...)
	}
	errs = append(errs, put(filepath.Join(t.before, "cgroup.procs"), fmt.Sprint(os.Getpid())))
	// A process that has just ended may still be in the group.
	err := os.Remove(t.group)
	for ; err != nil && !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil; err = os.Remove(t.group) {
		time.Sleep(10 * time.Millisecond)
	}
	return errors.Join(append(errs, err)...)
}

// put writes a word to a kernel file, in one write.
func put(file, word string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(word + "\n")
	return errors.Join(err, f.Close())
}
