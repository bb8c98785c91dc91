package delays

import (
	"context"
	_ "embed" // the script
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/lab/guest"
	"assay/lab/internal/command"
	"assay/store"
)

// Names of the tiers that a bed measures, the lowest first.
const (
	Below = "zvol"  // what a replica lies on
	Alone = "alone" // DRBD on it, without its peer
	Both  = "sync"  // with its peer, protocol C
)

// Bed is two guests with a pool of ZFS each, on a drive of this program, and a cable between
// them that DRBD can replicate over.
type Bed struct {
	File   string // cluster.yaml
	dir    string
	wire   *guest.Switch
	guests []*guest.Guest
	drives []*guest.Drive
}

var (
	hostNames = []string{"pve1", "pve2"}
	addresses = []string{"10.99.0.1", "10.99.0.2"}
)

const driveBytes = 1 << 30

//go:embed prepare.sh
var prepare string

// Missing says what this machine lacks for a bed, nil for nothing. It has a hint.
func Missing() error {
	_, zfs := guest.ZFS()
	_, tools := guest.Tools()
	if err := guest.Missing(); err != nil {
		return err
	}
	if zfs != nil {
		return zfs
	}
	return tools
}

// Up boots both guests. dir is made, and must not be there; its path is short, for it holds
// sockets. On an error nothing is left.
func Up(ctx context.Context, dir string) (*Bed, error) {
	if err := Missing(); err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	b := &Bed{File: filepath.Join(dir, "layers.yaml"), dir: dir, guests: make([]*guest.Guest, len(hostNames)), drives: make([]*guest.Drive, len(hostNames))}
	if err := b.boot(ctx); err != nil {
		return nil, errors.Join(err, b.Down())
	}
	return b, nil
}

// Down ends both guests and removes what the bed wrote. It is idempotent.
func (b *Bed) Down() error {
	var errs []error
	for i := range hostNames {
		if g := b.guests[i]; g != nil {
			errs = append(errs, g.Down())
		}
		if d := b.drives[i]; d != nil {
			errs = append(errs, d.Close())
		}
	}
	if b.wire != nil {
		errs = append(errs, b.wire.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(b.dir))...)
}

func (b *Bed) boot(ctx context.Context) (err error) {
	if b.wire, err = guest.NewSwitch(filepath.Join(b.dir, "wire")); err != nil {
		return err
	}
	var all sync.WaitGroup
	errs := make([]error, len(hostNames))
	for i := range hostNames {
		all.Go(func() { errs[i] = b.host(ctx, i) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return b.describe()
}

// host boots one of the guests and makes its pool.
func (b *Bed) host(ctx context.Context, i int) (err error) {
	name := hostNames[i]
	if b.drives[i], err = guest.NewDrive(filepath.Join(b.dir, name+".drive"), b.dir, driveBytes); err != nil {
		return err
	}
	modules, err := guest.ZFS()
	if err != nil {
		return err
	}
	tools, err := guest.Tools()
	if err != nil {
		return err
	}
	data := guest.Disk{Bus: guest.Virtio, Serial: "DATA", Bytes: driveBytes, In: b.drives[i]}
	port := guest.Port{Switch: b.wire, MAC: fmt.Sprintf("02:00:00:00:17:%02x", i+1), Mbit: 1000}
	g, err := guest.Boot(ctx, filepath.Join(b.dir, name), guest.Machine{Name: name, Disks: []guest.Disk{data, modules, tools}, Ports: []guest.Port{port}, CPUs: 1})
	if err != nil {
		return err
	}
	b.guests[i] = g
	if err := errors.Join(g.InstallZFS(ctx), g.InstallDRBD(ctx), g.InstallTools(ctx)); err != nil {
		return err
	}
	_, err = g.Run(ctx, "sh", "-c", prepare, "sh", name, addresses[i], data.Link())
	return err
}

// describe writes the cluster.yaml that assay is given, and the ssh_config that it names.
func (b *Bed) describe() error {
	var config []byte
	for _, g := range b.guests {
		text, err := os.ReadFile(g.Config())
		if err != nil {
			return err
		}
		config = append(config, text...)
	}
	file := filepath.Join(b.dir, "ssh_config")
	return errors.Join(os.WriteFile(file, config, 0o600), os.WriteFile(b.File, []byte(clusterText(file)), 0o600))
}

// clusterText is a cluster.yaml of the bed whose hosts that ssh_config knows.
func clusterText(config string) string {
	between := fmt.Sprintf("{%s: %s, %s: %s}", hostNames[0], addresses[0], hostNames[1], addresses[1])
	text := fmt.Sprintf(`defaults:
  ssh: {config: %s}
hosts: {%s: , %s: }
networks:
  replication: {hosts: %s}
tiers:
`, strconv.Quote(config), hostNames[0], hostNames[1], between)
	for _, t := range []struct{ name, storage string }{
		{Below, "zfs: {dataset: tank/vms, zvol: true}"},
		{Alone, "drbd: {replicas: " + between + ", dataset: tank/vms, alone: true}"},
		{Both, "drbd: {replicas: " + between + ", dataset: tank/vms, protocol: C}"},
	} {
		text += fmt.Sprintf("  %s: {host: %s, %s}\n", t.name, hostNames[0], t.storage)
	}
	return text
}

// Slow has the drives of the hosts, the first of which measures, answer later from now on.
func (b *Bed) Slow(by ...guest.Delays) {
	for i, d := range b.drives {
		d.Slow(slices.Concat(by, make([]guest.Delays, len(b.drives)))[i])
	}
}

// Waited is what the drive of the host that measures really waited since then, on average.
func (b *Bed) Waited() guest.Delays { return b.drives[0].Waited() }

// Link delays what the host that measures sends over the cable (netem); 0 ends that.
func (b *Bed) Link(ctx context.Context, by time.Duration) error {
	const script = `if [ "$1" = 0us ]; then
	tc qdisc del dev eth1 root 2>/dev/null || true
else
	tc qdisc replace dev eth1 root netem limit 10000 delay "$1"
fi`
	_, err := b.guests[0].Run(ctx, "sh", "-c", script, "sh", fmt.Sprintf("%dus", by.Microseconds()))
	return err
}

// Sync sets that property of the dataset under all tiers.
func (b *Bed) Sync(ctx context.Context, to string) error {
	_, err := b.guests[0].Run(ctx, "zfs", "set", "sync="+to, "tank/vms")
	return err
}

// Cases of suite layers, all of them.
const Cases = "rtt,drive-randread-4k,randread-4k,write-4k,syncwrite-4k"

// Wanted is how something is measured.
type Wanted struct {
	Assay   string // the binary
	Cases   string
	Tiers   []string // none: all
	Repeats int
	Report  string // a file that the page is written to; "" for none
}

// Measure has assay run suite layers on the bed, and returns the run and what it printed.
func (b *Bed) Measure(ctx context.Context, w Wanted) (assay.Run, string, error) {
	db := filepath.Join(b.dir, "runs.db")
	argv := []string{w.Assay, "run", "-i", b.File, "--db", db, "--suite", "layers", "--only", w.Cases, "--size", "64M",
		"--length", "1s", "--repeats", strconv.Itoa(w.Repeats), "--time-budget", "30m"}
	if len(w.Tiers) > 0 {
		argv = append(argv, "--host", strings.Join(w.Tiers, ","))
	}
	if w.Report != "" {
		argv = append(argv, "--report", w.Report)
	}
	printed, err := command.Output(ctx, "", argv...)
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 3 || exit.ExitCode() == 5) { // a number is rejected or missing
		err = nil
	}
	if err != nil {
		return assay.Run{}, printed, err
	}
	st, err := store.Open(ctx, db)
	if err != nil {
		return assay.Run{}, printed, err
	}
	defer st.Close()
	id, err := st.Resolve(ctx, "latest")
	if err != nil {
		return assay.Run{}, printed, err
	}
	run, err := st.Load(ctx, id)
	return run, printed, err
}
