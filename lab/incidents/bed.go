package incidents

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/lab/guest"
)

// The scripts that the kinds' scripts build on.
var (
	//go:embed prelude.sh
	prelude string
	//go:embed join.sh
	join string
	//go:embed clean.sh
	clean string
)

const mib = 1 << 20

// The disks of the first guest, the one that breaks. Unreadable disks fail in the
// middle, where nothing reads unasked.
var (
	badVirtio = guest.Disk{Bus: guest.Virtio, Serial: "BADVIRTIO", Bytes: 64 * mib, Unreadable: 32 * mib}
	badSCSI   = guest.Disk{Bus: guest.SCSI, Serial: "BADSCSI", Bytes: 64 * mib, Unreadable: 32 * mib}
	badNVMe   = guest.Disk{Bus: guest.NVMe, Serial: "BADNVME", Bytes: 64 * mib, Unreadable: 32 * mib}
	badSATA   = guest.Disk{Bus: guest.SATA, Serial: "BADSATA", Bytes: 64 * mib, Unreadable: 32 * mib}
	slowNVMe  = guest.Disk{Bus: guest.NVMe, Serial: "SLOWNVME", Bytes: 64 * mib}
	stick     = guest.Disk{Bus: guest.USB, Serial: "STICK", Bytes: 64 * mib}
	one       = guest.Disk{Bus: guest.Virtio, Serial: "ONE", Bytes: 128 * mib}
	two       = guest.Disk{Bus: guest.Virtio, Serial: "TWO", Bytes: 128 * mib}
)

// Bed is the cluster: host a, which breaks, and host b at the other end of its wire.
type Bed struct {
	Dir  string // of everything; removed with it
	File string // cluster.yaml
	a, b *guest.Guest
	wire *guest.Switch
	// has records which of the parts that not every machine has built the
	// guests have.
	has map[need]bool
}

// Up boots both guests. It creates dir, which must not exist; its path must be short,
// because it holds a socket. After an error, nothing is left.
func Up(ctx context.Context, dir string) (*Bed, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	bed := &Bed{Dir: dir, File: filepath.Join(dir, "cluster.yaml")}
	if err := bed.boot(ctx); err != nil {
		return nil, errors.Join(err, bed.Down())
	}
	return bed, nil
}

// Down stops both guests and removes what the bed wrote.
func (bed *Bed) Down() error {
	return errors.Join(bed.end(), os.RemoveAll(bed.Dir))
}

func (bed *Bed) end() error {
	var errs []error
	for _, g := range []**guest.Guest{&bed.a, &bed.b} {
		if *g != nil {
			errs = append(errs, (*g).Down())
			*g = nil
		}
	}
	if bed.wire != nil {
		errs = append(errs, bed.wire.Close())
		bed.wire = nil
	}
	return errors.Join(errs...)
}

// Again reboots both guests, for what could not be taken down.
func (bed *Bed) Again(ctx context.Context) error {
	if err := bed.end(); err != nil {
		return err
	}
	return bed.boot(ctx)
}

func (bed *Bed) boot(ctx context.Context) (err error) {
	if bed.wire, err = guest.NewSwitch(filepath.Join(bed.Dir, "wire")); err != nil {
		return err
	}
	disks := map[string][]guest.Disk{
		"a": {one, two, badVirtio, badSCSI, badNVMe, badSATA, slowNVMe, stick},
		"b": {one, two},
	}
	bed.has = map[need]bool{}
	if tools, err := guest.ZFS(); err == nil {
		bed.has[drbd] = true
		for name := range disks {
			disks[name] = append(disks[name], tools)
		}
	}
	if tools, err := guest.ISCSI(); err == nil {
		bed.has[iscsi] = true
		disks["a"] = append(disks["a"], tools)
	}
	for i, g := range []**guest.Guest{&bed.a, &bed.b} {
		name := []string{"a", "b"}[i]
		m := guest.Machine{Name: name, Disks: disks[name], Ports: []guest.Port{{Switch: bed.wire, MAC: fmt.Sprintf("02:00:00:00:19:%02d", i+1), Mbit: 1000}}}
		if *g, err = guest.Boot(ctx, filepath.Join(bed.Dir, name), m); err != nil {
			return err
		}
	}
	for name, g := range bed.guests() {
		if bed.has[drbd] {
			if err := g.InstallDRBD(ctx); err != nil {
				return err
			}
		}
		if bed.has[iscsi] && name == "a" {
			if err := g.InstallISCSI(ctx); err != nil {
				return err
			}
		}
		if err := bed.run(ctx, name, `busybox hostname "$NAME"
joined
mkdir -p /run/groups
mount -t cgroup2 none /run/groups
modprobe configfs
mount -t configfs none /sys/kernel/config
dmesg -C`); err != nil {
			return err
		}
	}
	return bed.describe()
}

func (bed *Bed) guests() map[string]*guest.Guest {
	return map[string]*guest.Guest{"a": bed.a, "b": bed.b}
}

// describe writes the cluster.yaml for assay.
func (bed *Bed) describe() error {
	text := "hosts:\n"
	for _, name := range []string{"a", "b"} {
		text += fmt.Sprintf("  %s:\n    ssh: {config: %q}\n", name, bed.guests()[name].Config())
	}
	return os.WriteFile(bed.File, []byte(text), 0o600)
}

// addresses are the hosts' addresses on the wire.
var addresses = map[string]string{"a": "10.77.0.1", "b": "10.77.0.2"}

// patience is the time limit for a script: a guest that is stuck is booted
// again.
const patience = 5 * time.Minute

// run runs a script on a host as root, after the prelude.
func (bed *Bed) run(ctx context.Context, host, script string) error {
	variables := map[string]string{
		"NAME": host, "ADDRESS": addresses[host], "PEER": addresses["b"],
		"ONE": one.Link(), "TWO": two.Link(), "VIRTIO": badVirtio.Link(), "SCSI": badSCSI.Link(), "NVME": badNVMe.Link(),
		"SATA": badSATA.Link(), "SLOW": slowNVMe.Link(), "STICK": stick.Link(),
	}
	var text strings.Builder
	for name, value := range variables {
		fmt.Fprintf(&text, "%s=%s\n", name, value)
	}
	text.WriteString(prelude + join + script)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := bed.guests()[host].Run(ctx, "sh", "-c", text.String())
	if err != nil {
		// The script is long, and only its last words matter.
		said := err.Error()
		return fmt.Errorf("host %s: %s", host, said[max(0, strings.LastIndex(said, "status ")):])
	}
	return nil
}

// Restore removes what a round has left on both hosts.
func (bed *Bed) Restore(ctx context.Context) error {
	if err := errors.Join(bed.a.SetCable(ctx, 0, true), bed.a.LimitDisk(ctx, slowNVMe, 0)); err != nil {
		return err
	}
	// Fails if it was not pulled.
	_ = bed.a.PlugIn(ctx, stick)
	return errors.Join(bed.run(ctx, "a", clean), bed.run(ctx, "b", clean))
}
