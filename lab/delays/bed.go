package delays

import (
	"cmp"
	"context"
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

// Names of the tiers measured on a bed.
const (
	Below = "zvol"  // storage below a replica, if it can be lent alone
	Alone = "alone" // DRBD on top, without its peer
	Both  = "sync"  // with its peer, protocol C
)

// Stack describes a bed's hosts and the storage below DRBD.
type Stack struct {
	In      string       // where its machines run
	Missing func() error // what this machine lacks, with a hint; nil for nothing
	boot    func(ctx context.Context, b *Bed, i int) (host, error)
	Bottom  string // the lowest tier written to
	Settles bool   // its machines are slower in the first minutes
	cached  bool   // unflushed writes stay in memory
	tiers   []tier // the lowest first
	changes []change
}

type tier struct{ name, storage string }

// host is a running host of a bed.
type host interface {
	Run(ctx context.Context, argv ...string) (string, error)
	Config() string // an ssh_config with its name
	Down() error
}

// Bed is two hosts, each with a drive in this program, and a cable between them for DRBD to
// replicate over.
type Bed struct {
	Stack
	File  string // cluster.yaml
	dir   string
	wire  *guest.Switch
	hosts []host
	disks []*guest.Drive
}

var (
	hostNames = []string{"pve1", "pve2"}
	addresses = []string{"10.99.0.1", "10.99.0.2"}
)

const driveBytes = 1 << 30

// replicated returns the DRBD tiers on a stack's storage.
func replicated(on string) []tier {
	return []tier{
		{Alone, "drbd: {replicas: " + between() + ", " + on + ", alone: true}"},
		{Both, "drbd: {replicas: " + between() + ", " + on + ", protocol: C}"},
	}
}

// between returns the hosts' replication addresses, as in cluster.yaml.
func between() string {
	return fmt.Sprintf("{%s: %s, %s: %s}", hostNames[0], addresses[0], hostNames[1], addresses[1])
}

// Up boots both hosts. It creates dir, which must not exist; its path must be short,
// because it holds sockets. After an error, nothing is left.
func Up(ctx context.Context, dir string, s Stack) (*Bed, error) {
	if err := s.Missing(); err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	b := &Bed{Stack: s, File: filepath.Join(dir, "layers.yaml"), dir: dir, hosts: make([]host, len(hostNames)), disks: make([]*guest.Drive, len(hostNames))}
	if err := b.up(ctx); err != nil {
		return nil, errors.Join(err, b.Down())
	}
	return b, nil
}

// Down stops both hosts and removes what the bed wrote. It is idempotent.
func (b *Bed) Down() error {
	var errs []error
	for i := range hostNames {
		if h := b.hosts[i]; h != nil {
			errs = append(errs, h.Down())
		}
		if d := b.disks[i]; d != nil {
			errs = append(errs, d.Close())
		}
	}
	if b.wire != nil {
		errs = append(errs, b.wire.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(b.dir))...)
}

func (b *Bed) up(ctx context.Context) (err error) {
	if b.wire, err = guest.NewSwitch(filepath.Join(b.dir, "wire")); err != nil {
		return err
	}
	var all sync.WaitGroup
	errs := make([]error, len(hostNames))
	for i := range hostNames {
		all.Go(func() { errs[i] = b.start(ctx, i) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return b.describe()
}

// start boots one of the hosts, on its own drive.
func (b *Bed) start(ctx context.Context, i int) (err error) {
	if b.disks[i], err = guest.NewDrive(filepath.Join(b.dir, hostNames[i]+".drive"), b.dir, driveBytes); err == nil {
		b.hosts[i], err = b.boot(ctx, b, i)
	}
	return err
}

// describe writes the cluster.yaml for assay, and the ssh_config that it names.
func (b *Bed) describe() error {
	var config []byte
	for _, h := range b.hosts {
		text, err := os.ReadFile(h.Config())
		if err != nil {
			return err
		}
		config = append(config, text...)
	}
	file := filepath.Join(b.dir, "ssh_config")
	return errors.Join(os.WriteFile(file, config, 0o600), os.WriteFile(b.File, []byte(b.clusterText(file)), 0o600))
}

// clusterText returns the cluster.yaml of a bed whose hosts are in the given
// ssh_config.
func (s Stack) clusterText(config string) string {
	text := fmt.Sprintf(`defaults:
  ssh: {config: %s}
hosts: {%s: , %s: }
networks:
  replication: {hosts: %s}
tiers:
`, strconv.Quote(config), hostNames[0], hostNames[1], between())
	for _, t := range s.tiers {
		text += fmt.Sprintf("  %s: {host: %s, %s}\n", t.name, hostNames[0], t.storage)
	}
	return text
}

// Slow delays the answers of the hosts' drives from now on, the first being that of the
// host that measures.
func (b *Bed) Slow(by ...guest.Delays) {
	for i, d := range b.disks {
		d.Slow(slices.Concat(by, make([]guest.Delays, len(b.disks)))[i])
	}
}

// Waited returns the average delay since then on the drive of the host that measures.
func (b *Bed) Waited() guest.Delays { return b.disks[0].Waited() }

// Link delays what the measuring host sends over the cable; 0 ends that.
func (b *Bed) Link(ctx context.Context, by time.Duration) error { return b.cable(ctx, 0, by) }

// cable limits what hosts send to rate bits a second, 0 for no limit, and delays what the
// measuring host sends (netem).
func (b *Bed) cable(ctx context.Context, rate float64, by time.Duration) error {
	const script = `tc qdisc del dev eth1 root 2>/dev/null || true
[ $# -eq 0 ] || tc qdisc add dev eth1 root netem limit 10000 "$@"`
	var errs []error
	for i, h := range b.hosts {
		argv := []string{"sh", "-c", script, "sh"}
		if by > 0 && i == 0 {
			argv = append(argv, "delay", fmt.Sprintf("%dus", by.Microseconds()))
		}
		if rate > 0 {
			argv = append(argv, "rate", fmt.Sprintf("%.0fbit", rate))
		}
		_, err := h.Run(ctx, argv...)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Cases are all the cases of suite layers.
const Cases = "rtt,drive-randread-4k,randread-4k,write-4k,syncwrite-4k"

// Wanted says how to measure.
type Wanted struct {
	Assay   string   // the binary
	Suite   string   // a file; "" for suite layers
	Length  string   // of a repeat; "" for 1s
	Cases   string   // "" for all
	Tiers   []string // none: all
	Repeats int
	Report  string // a file that the page is written to; "" for none
}

// Measure has assay run a suite on the bed, and returns the run and the printed
// output.
func (b *Bed) Measure(ctx context.Context, w Wanted) (assay.Run, string, error) {
	db := filepath.Join(b.dir, "runs.db")
	argv := []string{w.Assay, "run", "-i", b.File, "--db", db, "--suite", cmp.Or(w.Suite, "layers"), "--size", "64M",
		"--length", cmp.Or(w.Length, "1s"), "--repeats", strconv.Itoa(w.Repeats), "--time-budget", "30m"}
	if w.Cases != "" {
		argv = append(argv, "--only", w.Cases)
	}
	if len(w.Tiers) > 0 {
		argv = append(argv, "--host", strings.Join(w.Tiers, ","))
	}
	if w.Report != "" {
		argv = append(argv, "--report", w.Report)
	}
	printed, err := command.Output(ctx, "", argv...)
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() == 3 || exit.ExitCode() == 5) { // a number was rejected or is missing
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
