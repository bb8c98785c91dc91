package uml

import (
	"context"
	_ "embed" // the script
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/lab/guest"
	"assay/lab/internal/command"
	"assay/lab/internal/wait"
)

const (
	consoleFile = "console.log" // output of the machine's kernel
	nameFile    = "name"
	bootFile    = "boot.sh"
	readyWords  = "assay guest is ready" // of boot.sh
	memory      = "512M"
)

//go:embed boot.sh
var boot []byte

// Machine describes a machine, beyond its system and a network that leads only to
// sshd.
type Machine struct {
	Name   string
	Drives []*guest.Drive  // /dev/vda and so on
	Trees  []guest.Disk    // of lab/guest, whose From is copied into its /usr
	Ports  []*guest.Switch // where its interfaces eth1, eth2 and so on connect
}

// Guest is a running machine.
type Guest struct {
	Dir       string             // absolute; holds keys and logs
	processes []*command.Process // the machine is the last
	control   *guest.Switch
	files     []*os.File // of interfaces
	*guest.Session
}

// Boot starts a machine and returns when commands can run on it. dir must not exist; its
// path must be short, because it holds sockets. On an error nothing is left.
func Boot(ctx context.Context, dir string, m Machine) (*Guest, error) {
	if err := Missing(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	g := &Guest{Dir: dir, Session: guest.NewSession(dir, m.Name)}
	if err := g.boot(ctx, m); err != nil {
		return nil, errors.Join(err, g.Down())
	}
	return g, nil
}

// Down ends the machine like a power cut, and removes its directory. It is idempotent.
func (g *Guest) Down() error {
	errs := []error{g.Close()}
	for _, p := range g.processes {
		p.Kill()
	}
	for _, f := range g.files {
		_ = f.Close() // once is enough
	}
	if g.control != nil {
		errs = append(errs, g.control.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(g.Dir))...)
}

func (g *Guest) file(name string) string { return filepath.Join(g.Dir, name) }

func (g *Guest) boot(ctx context.Context, m Machine) error {
	if err := g.MakeKeys(ctx); err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(g.file(nameFile), []byte(m.Name+"\n"), 0o600), os.WriteFile(g.file(bootFile), boot, 0o600)); err != nil {
		return err
	}
	port, err := g.gate()
	if err != nil {
		return err
	}
	argv, err := g.kernel(ctx, m)
	if err != nil {
		return err
	}
	if err := g.start(consoleFile, g.files, argv...); err != nil {
		return err
	}
	if err := g.ready(ctx); err != nil {
		return err
	}
	return g.Open(ctx, port)
}

// start starts a program that ends with this one.
func (g *Guest) start(log string, files []*os.File, argv ...string) error {
	p, err := command.StartWhole(g.file(log), files, argv...)
	if err == nil {
		g.processes = append(g.processes, p)
	}
	return err
}

// gate forwards a port of this machine, which it returns, to the sshd. The forwarder is a
// QEMU with only user networking, which needs no privileges and lets nothing out.
func (g *Guest) gate() (port int, err error) {
	socket := g.file("control")
	if g.control, err = guest.NewSwitch(socket); err != nil {
		return 0, err
	}
	end, err := g.control.Plug()
	if err != nil {
		return 0, err
	}
	g.files = append(g.files, end)
	if port, err = guest.FreePort(); err != nil {
		return 0, err
	}
	return port, g.start("gate.log", nil, "qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-machine", "none",
		"-netdev", fmt.Sprintf("user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:%d-:22", port), "-netdev", "hubport,id=in,hubid=0,netdev=net",
		"-netdev", "stream,id=wire,server=off,addr.type=unix,addr.path="+guest.OptionWord(socket), "-netdev", "hubport,id=out,hubid=0,netdev=wire")
}

// kernel returns the command line of the machine, once its drives are there.
func (g *Guest) kernel(ctx context.Context, m Machine) ([]string, error) {
	image, err := guest.Image()
	if err != nil {
		return nil, err
	}
	argv := []string{"linux.uml", "mem=" + memory, "umid=machine", "uml_dir=" + g.Dir, "con=null", "con0=null,fd:1", "ssl=null", "quiet",
		"ubd0=" + g.file("root.cow") + "," + filepath.Join(image, guest.RootFile), "root=/dev/ubda", "rw"}
	for i, t := range m.Trees {
		argv = append(argv, fmt.Sprintf("ubd%dr=%s", i+1, t.From))
	}
	for i, d := range m.Drives {
		socket := g.file(fmt.Sprintf("drive%d", i))
		if err := g.start(fmt.Sprintf("drive%d.log", i), nil, "qemu-storage-daemon",
			"--blockdev", "nbd,node-name=drive,server.type=unix,server.path="+guest.OptionWord(d.Socket()),
			"--export", "vhost-user-blk,id=export,node-name=drive,addr.type=unix,addr.path="+guest.OptionWord(socket)+",writable=on"); err != nil {
			return nil, err
		}
		if last, err := wait.Until(ctx, 10*time.Millisecond, func() error { _, err := os.Stat(socket); return err }); err != nil {
			return nil, fmt.Errorf("a drive did not appear: %w; %s", last, command.LastLine(g.file(fmt.Sprintf("drive%d.log", i))))
		}
		argv = append(argv, "virtio_uml.device="+socket+":2") // a block device
	}
	for _, s := range m.Ports {
		end, err := s.Plug()
		if err != nil {
			return nil, err
		}
		g.files = append(g.files, end)
	}
	for i := range g.files {
		argv = append(argv, fmt.Sprintf("vec%d:transport=fd,fd=%d,mac=%s,depth=64", i, 3+i, address(g.Dir, i)))
	}
	// init's arguments come last.
	return append(argv, "init=/bin/sh", "--", "-c", `"mount -t tmpfs -o mode=755 tmpfs /run; mkdir /run/given; mount -t hostfs -o `+g.Dir+` none /run/given; exec sh /run/given/`+bootFile+`"`), nil
}

// address returns the MAC address of an interface: always the same for a machine in the same
// directory, and unique to it.
func address(dir string, i int) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(dir))
	n := sum.Sum32()
	return fmt.Sprintf("02:00:%02x:%02x:%02x:%02x", byte(n>>16), byte(n>>8), byte(n), i)
}

// ready waits until the machine reports that it is ready.
func (g *Guest) ready(ctx context.Context) error {
	booted, giveUp := context.WithCancel(ctx)
	defer giveUp()
	machine := g.processes[len(g.processes)-1]
	_, err := wait.Until(booted, 20*time.Millisecond, func() error {
		select {
		case <-machine.Died():
			giveUp()
		default:
		}
		said, err := os.ReadFile(g.file(consoleFile))
		if err == nil && !strings.Contains(string(said), readyWords) {
			err = errors.New("the machine is not ready")
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("machine %s did not boot: %w; it said last: %s", filepath.Base(g.Dir), err, command.LastLine(g.file(consoleFile)))
	}
	return nil
}
