package hosts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/internal/sleep"
	"assay/lab/internal/command"
	"assay/lab/internal/disks"
)

func (l *Lab) file(host, kind string) string {
	return filepath.Join(l.Dir, hostsDir, host+"."+kind)
}

// loopOf returns the loop device of an image, or "" if there is none.
func loopOf(image string) string {
	for loop, backing := range disks.Backings() {
		if backing == image {
			return loop
		}
	}
	return ""
}

func numbersOf(loop string) (string, error) {
	b, err := os.ReadFile("/sys/class/block/" + loop + "/dev")
	return strings.TrimSpace(string(b)), err
}

// boundDisk limits the speed of a host's disk. The state is written first.
func (l *Lab) boundDisk(h Host) error {
	loop := loopOf(l.file(h.Name, "img"))
	if loop == "" {
		return fmt.Errorf("%s has no disk", h.Name)
	}
	numbers, err := numbersOf(loop)
	if err != nil || h.Disk.Rate == 0 && h.Disk.IOPS == 0 {
		return err
	}
	pid, err := l.pid(h.Name)
	if err != nil {
		return err
	}
	if !slices.Contains(l.state.Bounded, numbers) {
		l.state.Bounded = append(l.state.Bounded, numbers)
	}
	if err := l.write(); err != nil {
		return err
	}
	if err := throttle(l.state.ID, h.Name, pid, numbers, h.Disk); err != nil {
		return fmt.Errorf("bound the speed of %s, the disk of %s: %w", loop, h.Name, err)
	}
	return nil
}

// Where the kernel limits block devices.
const (
	cgroup1 = "/sys/fs/cgroup/blkio"
	cgroup2 = "/sys/fs/cgroup"
)

// throttle limits a device. Version 1 of control groups charges writeback to the
// root group, so the host is in that group and the limit applies to the device,
// whoever uses it. Version 2 knows who wrote, but cannot limit a root group, so
// the host gets its own group.
func throttle(id, host string, pid int, numbers string, d Disk) error {
	if _, err := os.Stat(filepath.Join(cgroup1, "blkio.throttle.read_bps_device")); err == nil {
		if err := put(filepath.Join(cgroup1, "cgroup.procs"), strconv.Itoa(pid)); err != nil {
			return err
		}
		return throttle1(numbers, d)
	}
	group := filepath.Join(groupOf(id), host)
	if err := os.MkdirAll(group, 0o750); err != nil {
		return err
	}
	for _, above := range []string{cgroup2, groupOf(id)} {
		if err := put(filepath.Join(above, "cgroup.subtree_control"), "+io"); err != nil {
			return err
		}
	}
	if err := put(filepath.Join(group, "cgroup.procs"), strconv.Itoa(pid)); err != nil {
		return err
	}
	return put(filepath.Join(group, "io.max"), ioMax(numbers, d))
}

// throttle1 sets the limits of version 1; 0 removes one.
func throttle1(numbers string, d Disk) error {
	for file, bound := range map[string]int64{
		"read_bps": d.Rate, "write_bps": d.Rate, "read_iops": d.IOPS, "write_iops": d.IOPS,
	} {
		if err := put(filepath.Join(cgroup1, "blkio.throttle."+file+"_device"), fmt.Sprintf("%s %d", numbers, bound)); err != nil {
			return err
		}
	}
	return nil
}

// ioMax returns the io.max line of version 2.
func ioMax(numbers string, d Disk) string {
	word := func(bound int64) string {
		if bound == 0 {
			return "max"
		}
		return strconv.FormatInt(bound, 10)
	}
	return fmt.Sprintf("%s rbps=%s wbps=%[2]s riops=%s wiops=%[3]s", numbers, word(d.Rate), word(d.IOPS))
}

func groupOf(id string) string { return filepath.Join(cgroup2, "assay-lab-"+id) }

// put writes a word to a kernel file: in one write, to an existing file.
func put(file, word string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(word + "\n")
	return errors.Join(err, f.Close())
}

// unbound removes the limits from the devices, except those that others have
// taken since. It runs while the lab still holds its own, if any.
func (l *Lab) unbound() error {
	ours := map[string]bool{}
	for _, h := range l.state.Hosts {
		if loop := loopOf(l.file(h.Name, "img")); loop != "" {
			numbers, _ := numbersOf(loop)
			ours[numbers] = true
		}
	}
	for _, numbers := range l.state.Bounded {
		used := fmt.Sprintf("/sys/dev/block/%s/loop/backing_file", numbers)
		if _, err := os.Stat(used); err == nil && !ours[numbers] {
			continue
		}
		if _, err := os.Stat(filepath.Join(cgroup1, "blkio.throttle.read_bps_device")); err != nil {
			break
		}
		if err := throttle1(numbers, Disk{}); err != nil {
			return err
		}
	}
	return nil
}

// detach waits until the disks of hosts have no loop devices: they go with the
// last mount, which goes with the last process. It detaches any that stay.
func (l *Lab) detach(ctx context.Context, hosts ...string) error {
	patience := time.Now().Add(3 * time.Second)
	for _, host := range hosts {
		image := l.file(host, "img")
		for loop := loopOf(image); loop != ""; loop = loopOf(image) {
			if time.Now().After(patience) {
				if _, err := command.Output(ctx, "", "losetup", "--detach", "/dev/"+loop); err != nil && loopOf(image) != "" {
					return err
				}
			}
			if err := sleep.For(ctx, 10*time.Millisecond); err != nil {
				return fmt.Errorf("/dev/%s still has the disk of %s: %w", loop, host, err)
			}
		}
	}
	return nil
}
