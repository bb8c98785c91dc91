package guest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"assay/lab/internal/command"
	"assay/lab/internal/wait"
)

// Name is a guest's name in its ssh_config, and its place's, unless its Machine has
// another.
const Name = "guest"

const (
	consoleFile = "console.log" // output of the guest's kernel
	logFile     = "qemu.log"
	readyWords  = "assay guest is ready" // of boot.sh
)

// Guest is a machine running in QEMU.
type Guest struct {
	Dir     string // absolute; holds disks, keys and logs
	monitor string // socket of QEMU's monitor
	short   string // its directory: socket paths must be short
	qemu    *command.Process
	*Session
}

// Machine is what a guest has besides its system and a network that leads only to sshd.
type Machine struct {
	Disks []Disk
	Ports []Port // its interfaces eth1, eth2 and so on
	// Reach lists services of this machine, host:port in one IPv4 /24, that the guest
	// may use at the same addresses. They are on its last interface, which has no
	// address yet.
	Reach []string
	CPUs  int    // 0: 2
	Name  string // in its ssh_config, and of its place; "": Name
}

// Port is an interface plugged into a switch.
type Port struct {
	Switch *Switch
	MAC    string // as in 02:00:00:00:00:01
	Mbit   int    // reported link speed, Mb/s
}

// portName returns QEMU's name for a port, by its index in Machine.Ports.
func portName(i int) string { return fmt.Sprintf("port%d", i) }

// Up boots a guest with these disks and returns when commands can run on it: half
// a minute on two otherwise idle processors. It creates dir, which must not
// exist. After an error, nothing is left.
func Up(ctx context.Context, dir string, disks ...Disk) (*Guest, error) {
	return Boot(ctx, dir, Machine{Disks: disks})
}

// Boot is Up for a machine with more than disks.
func Boot(ctx context.Context, dir string, m Machine) (*Guest, error) {
	if err := errors.Join(checkDisks(m.Disks), Missing()); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	g := &Guest{Dir: dir, Session: NewSession(dir, cmp.Or(m.Name, Name))}
	if err := g.boot(ctx, m); err != nil {
		return nil, errors.Join(err, g.Down())
	}
	return g, nil
}

// Down stops the guest as a power cut would, and removes its directory. It is
// idempotent.
func (g *Guest) Down() error {
	err := g.Close()
	if g.qemu != nil {
		g.qemu.Kill()
	}
	return errors.Join(err, os.RemoveAll(g.short), os.RemoveAll(g.Dir))
}

// boot creates what QEMU needs, starts it, and waits for the guest.
func (g *Guest) boot(ctx context.Context, m Machine) error {
	image, err := Image()
	if err != nil {
		return err
	}
	if g.short, err = os.MkdirTemp("", "assay-guest-"); err != nil {
		return err
	}
	g.monitor = filepath.Join(g.short, "monitor")
	if err := g.MakeKeys(ctx); err != nil {
		return err
	}
	args, err := g.makeDisks(m.Disks)
	if err != nil {
		return err
	}
	args = append(args, "-qmp", "unix:"+OptionWord(g.monitor)+",server=on,wait=off")
	for i, p := range m.Ports {
		args = append(args, "-netdev", fmt.Sprintf("stream,id=%s,server=off,addr.type=unix,addr.path=%s", portName(i), OptionWord(p.Switch.Socket())),
			"-device", fmt.Sprintf("virtio-net-pci,netdev=%s,mac=%s,speed=%d,duplex=full,romfile=", portName(i), p.MAC, p.Mbit))
	}
	reach, err := reachable(m.Reach)
	if err != nil {
		return err
	}
	args = append(args, reach...)
	// A port that was free may be taken by the time QEMU binds it.
	for try := 1; ; try++ {
		port, err := FreePort()
		if err != nil {
			return err
		}
		if err := g.start(ctx, append(machine(image, g.Dir, port, cmp.Or(m.CPUs, 2), len(m.Disks)), args...)); err == nil {
			return g.Open(ctx, port)
		} else if try == 3 || !strings.Contains(err.Error(), "host forwarding") {
			return err
		}
	}
}

// machine returns QEMU's command line for everything but the disks under test.
// Writes to the root disk go to an unnamed file, which disappears with the
// process.
func machine(image, dir string, port, cpus, disks int) []string {
	return []string{
		"qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
		"-machine", "q35,accel=tcg", "-cpu", "max", "-smp", strconv.Itoa(cpus), "-m", "768",
		"-kernel", filepath.Join(image, "vmlinuz"), "-initrd", filepath.Join(image, "initrd"),
		"-append", "console=ttyS0 quiet net.ifnames=0 mitigations=off nokaslr no_timer_check panic=-1 usb-storage.delay_use=0",
		"-serial", "file:" + filepath.Join(dir, consoleFile),
		"-netdev", fmt.Sprintf("user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:%d-:22", port),
		"-device", "virtio-net-pci,netdev=net,romfile=", "-device", "virtio-rng-pci",
		"-fw_cfg", "name=opt/assay/authorized,file=" + OptionWord(filepath.Join(dir, KeyFile+".pub")),
		"-fw_cfg", "name=opt/assay/host,file=" + OptionWord(filepath.Join(dir, HostKeyFile)),
		"-fw_cfg", "name=opt/assay/disks,string=" + strconv.Itoa(disks+1),
		"-drive", "if=none,id=root,format=raw,snapshot=on,cache=unsafe,file=" + OptionWord(filepath.Join(image, RootFile)),
		"-device", "virtio-blk-pci,drive=root,serial=assay-root",
	}
}

// reachable returns QEMU's options for a network in which it answers for services
// of this machine: a process carries each connection. Nothing else is on that
// network.
func reachable(services []string) ([]string, error) {
	if len(services) == 0 {
		return nil, nil
	}
	var network netip.Prefix
	options := "user,id=reach,restrict=on"
	for _, service := range services {
		at, err := netip.ParseAddrPort(service)
		if err != nil || !at.Addr().Is4() {
			return nil, fmt.Errorf("a guest can reach an IPv4 address and a port, and %q is none", service)
		}
		in, _ := at.Addr().Prefix(24)
		if !network.IsValid() {
			network = in
			first := strings.TrimSuffix(in.Addr().String(), "0")
			options += fmt.Sprintf(",net=%s,host=%s253,dns=%[2]s252,dhcpstart=%[2]s240", in, first)
		}
		if in != network {
			return nil, fmt.Errorf("%s is not in %s, as the other services are", service, network)
		}
		options += fmt.Sprintf(",guestfwd=tcp:%s-cmd:socat STDIO TCP4:%[1]s", service)
	}
	return []string{"-netdev", options, "-device", "virtio-net-pci,netdev=reach,romfile="}, nil
}

// OptionWord quotes a path for QEMU, which separates options with commas.
func OptionWord(path string) string { return strings.ReplaceAll(path, ",", ",,") }

// FreePort returns a TCP port of 127.0.0.1 that is free at the moment.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// start starts QEMU and waits until the guest reports that it is ready.
func (g *Guest) start(ctx context.Context, argv []string) (err error) {
	// QEMU keeps the contents of a file from an earlier try.
	if err := errors.Join(os.RemoveAll(g.file(consoleFile)), os.RemoveAll(g.file(logFile))); err != nil {
		return err
	}
	if g.qemu, err = command.Start(g.file(logFile), []string{"TMPDIR=" + g.Dir}, argv...); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			g.qemu.Kill()
		}
	}()
	booted, giveUp := context.WithCancel(ctx)
	defer giveUp()
	_, err = wait.Until(booted, 50*time.Millisecond, func() error {
		select {
		case <-g.qemu.Died():
			giveUp()
		default:
		}
		said, err := os.ReadFile(g.file(consoleFile))
		if err == nil && !strings.Contains(string(said), readyWords) {
			err = errors.New("the guest is not ready")
		}
		return err
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() == nil:
		return fmt.Errorf("QEMU ended: %s; the guest: %s", command.LastLine(g.file(logFile)), command.LastLine(g.file(consoleFile)))
	}
	return fmt.Errorf("the guest did not boot in time: %w; it said last: %s", ctx.Err(), command.LastLine(g.file(consoleFile)))
}

func (g *Guest) file(name string) string { return filepath.Join(g.Dir, name) }
