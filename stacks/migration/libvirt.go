package migration

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/oneline"
	"assay/stacks/zfs"
)

// patience is the timeout of a query; a migration is bounded by its caller.
const patience = time.Minute

// The guest states that are distinguished, in libvirt's words.
const (
	Running = "running"
	Paused  = "paused"
	Off     = "shut off"
	Nowhere = "" // the host has no such guest
)

// libvirt is a domain of the system's libvirt. The daemons move it, peer to peer.
type libvirt struct{ Move }

// Words implements Hypervisor.
func (m libvirt) Words() Words {
	return Words{
		Guest: "domain " + m.Guest, List: "virsh list --all", Start: "virsh start " + m.Guest, Jobs: "virsh domjobinfo " + m.Guest,
		Forget: "virsh undefine " + m.Guest, Downtime: "virsh migrate-setmaxdowntime " + m.Guest + " MS",
	}
}

// virsh returns a command for the system's libvirt.
func virsh(words ...string) assay.Cmd {
	return assay.Cmd{Argv: append([]string{"virsh", "-q", "-c", "qemu:///system"}, words...), Env: []string{"LC_ALL=C"}, Timeout: patience}
}

// troubles are libvirt's error messages, with what they mean and what to do. GUEST and
// HOST are those of the query.
var troubles = []struct {
	said string // in lower case
	is   error  // nil: none of assay's
	hint string
}{
	{"failed to get domain", assay.ErrNotFound, "virsh list --all on HOST lists its domains"},
	{"domain is not running", nil, "start it: virsh start GUEST"},
	{"migration without shared storage is unsafe", nil, "put its disks on storage that both hosts reach, or have them copied: disks: copy under migrate:"},
	{"unsafe migration", nil, "give its disks cache=none: with others libvirt cannot know that both hosts read the same"},
	{"cannot access storage file", nil, "put the guest's disks on storage that both hosts reach by the same path, or have them copied: disks: copy under migrate:"},
	{"cannot get interface mtu", nil, "both hosts need the bridge that the guest's interface is on"},
	{"cannot allocate memory", assay.ErrNoSpace, "free some memory on the host that it is moved to"},
	{"cannot set up guest memory", assay.ErrNoSpace, "free some memory on the host that it is moved to"},
	{"guest cpu doesn't match", nil, "give the domain a CPU model that both hosts have"},
	{"host key verification failed", nil, "let root on each host log in to the other by ssh, or name transport: tls"},
	{"permission denied (publickey", nil, "let root on each host log in to the other by ssh, or name transport: tls"},
	{"unable to connect to server", assay.ErrHostGone, "see that the daemons reach each other: virsh -c URI uri"},
	{"failed to connect", nil, "start libvirtd there, and connect as root or as a member of group libvirt"},
	{"end of file while reading data", nil, "see that the daemons reach each other: virsh -c URI uri"},
}

// tell runs a command and returns its output; an exit status other than 0 is an error
// with a hint. what names the command in errors.
func (m libvirt) tell(ctx context.Context, at assay.Place, what string, c assay.Cmd) (assay.Output, error) {
	out, err := at.Run(ctx, c)
	host := at.Host().Name
	switch {
	case errors.Is(err, assay.ErrNoCommand):
		return out, assay.WithHint("install libvirt-clients there", "%s: %w", host, err)
	case err != nil:
		return out, fmt.Errorf("%s: virsh %s: %w", host, what, err)
	case out.Exit == 0:
		return out, nil
	}
	said := oneline.Brief(complaint(out))
	lower := strings.ToLower(said)
	for _, t := range troubles {
		if !strings.Contains(lower, t.said) {
			continue
		}
		hint := strings.NewReplacer("GUEST", m.Guest, "HOST", host).Replace(t.hint)
		if t.is != nil {
			return out, assay.WithHint(hint, "%s: virsh %s: %w: %s", host, what, t.is, said)
		}
		return out, assay.WithHint(hint, "%s: virsh %s: %s", host, what, said)
	}
	return out, fmt.Errorf("%s: virsh %s exited %d: %s", host, what, out.Exit, said)
}

// complaint returns virsh's error message.
func complaint(out assay.Output) []byte {
	text := strings.TrimSpace(string(out.Stderr))
	if text == "" {
		text = strings.TrimSpace(string(out.Stdout))
	}
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimPrefix(strings.TrimSpace(line), "error: "))
	}
	return []byte(strings.Join(lines, ": "))
}

// State implements Hypervisor.
func (m libvirt) State(ctx context.Context, at assay.Place) (string, error) {
	out, err := m.tell(ctx, at, "domstate", virsh("domstate", "--domain", m.Guest))
	if errors.Is(err, assay.ErrNotFound) {
		return Nowhere, nil
	}
	if err != nil {
		return "", err
	}
	state := strings.TrimSpace(string(out.Stdout))
	if state == "" {
		return "", fmt.Errorf("%s: virsh domstate: %w", at.Host().Name, assay.ErrNoOutput)
	}
	return state, nil
}

// The guest jobs that are distinguished, in libvirt's words.
const (
	NoJob    = ""
	Leaving  = "Outgoing migration"
	Arriving = "Incoming migration"
)

// Job implements Hypervisor.
func (m libvirt) Job(ctx context.Context, at assay.Place) (string, error) {
	out, err := m.tell(ctx, at, "domjobinfo", virsh("domjobinfo", "--domain", m.Guest))
	if errors.Is(err, assay.ErrNotFound) || err != nil && strings.Contains(string(out.Stderr), "domain is not running") {
		return NoJob, nil
	}
	if err != nil && strings.Contains(string(out.Stderr), "available only on the source host") {
		return Arriving, nil
	}
	if err != nil {
		return "", err
	}
	return readJob(out.Stdout)
}

// Abort implements Hypervisor.
func (m libvirt) Abort(ctx context.Context, at assay.Place) error {
	_, err := m.tell(ctx, at, "domjobabort", virsh("domjobabort", "--domain", m.Guest))
	return err
}

// Autostart implements Hypervisor.
func (m libvirt) Autostart(ctx context.Context, at assay.Place) error {
	_, err := m.tell(ctx, at, "autostart", virsh("autostart", "--domain", m.Guest))
	return err
}

// domain is what virsh dominfo reports about a domain.
type domain struct {
	Persistent bool
	Autostart  bool
	Memory     int64 // its maximum, bytes
}

// Ready implements Hypervisor.
func (m libvirt) Ready(ctx context.Context, home, away assay.Place) (Guest, error) {
	out, err := m.tell(ctx, home, "dominfo", virsh("dominfo", "--domain", m.Guest))
	if err != nil {
		return Guest{}, err
	}
	d, err := readInfo(out.Stdout)
	if err != nil {
		return Guest{}, fmt.Errorf("%s: virsh dominfo: %w", home.Host().Name, err)
	}
	if !d.Persistent {
		return Guest{}, assay.WithHint("define it: virsh dumpxml "+m.Guest+" >FILE && virsh define FILE",
			"domain %s on %s is transient: it would be gone if it were off for a moment", m.Guest, m.Home.Host)
	}
	if err := errors.Join(m.reaches(ctx, home, m.Away), m.reaches(ctx, away, m.Home)); err != nil {
		return Guest{}, err
	}
	g := Guest{Autostart: d.Autostart, Memory: d.Memory}
	if !m.Copy {
		return g, nil
	}
	if g.Disks, err = m.Disks(ctx, home); err != nil {
		return Guest{}, err
	}
	if len(g.Disks) == 0 {
		return Guest{}, assay.WithHint("leave out disks: copy under migrate:", "domain %s on %s has no disk that is a file", m.Guest, m.Home.Host)
	}
	return g, nil
}

// command returns the command that moves the running guest with its definition from one host
// to the other; offline is for a guest that is off, where only the definition moves. The two
// daemons carry on even if the command is killed.
func (m libvirt) command(to End, offline bool) assay.Cmd {
	how := []string{"--live", "--abort-on-error", "--migrateuri", "tcp://" + bracketed(to.Address)}
	if m.Copied != "" {
		// Only these: libvirt would overwrite a disk that both hosts reach with a copy of
		// itself.
		how = append(how, "--copy-storage-all", "--migrate-disks", m.Copied)
	}
	if offline {
		how = []string{"--offline"}
	}
	words := slices.Concat([]string{"migrate", "--p2p", "--persistent", "--undefinesource"}, how,
		[]string{"--domain", m.Guest, "--desturi", m.uri(to)})
	c := virsh(words...)
	c.Timeout = 0
	return c
}

// Migrate implements Hypervisor.
func (m libvirt) Migrate(ctx context.Context, from, to assay.Place, offline bool) (assay.Step, error) {
	c := m.command(m.Other(from.Host().Name), offline)
	step := assay.Step{Argv: c.Argv}
	if m.Copy && m.Copied == "" {
		return step, fmt.Errorf("domain %s: which of its disks are copied is not known", m.Guest)
	}
	var err error
	step.Output, err = m.tell(ctx, from, "migrate", c)
	return step, err
}

// uri returns the URI by which the other host's daemon reaches this one's.
func (m libvirt) uri(e End) string {
	return "qemu+" + m.Transport + "://" + bracketed(e.Address) + "/system"
}

// bracketed returns an address as URIs write it.
func bracketed(address string) string {
	if a, err := netip.ParseAddr(address); err == nil && a.Is6() {
		return "[" + address + "]"
	}
	return address
}

// reaches checks that the other host's daemon answers from this one.
func (m libvirt) reaches(ctx context.Context, from assay.Place, to End) error {
	c := virsh("hostname")
	c.Argv[3] = m.uri(to)
	if _, err := m.tell(ctx, from, "-c "+m.uri(to)+" hostname", c); err != nil {
		return assay.WithHint("a guest comes back the way that it went: let the daemons of both hosts reach each other; see transport and network in the cluster.yaml",
			"%s does not reach libvirt of %s: %w", from.Host().Name, to.Host, err)
	}
	return nil
}

// Around implements Hypervisor: the guest's downtime limit, in ms, and the figures of the
// migration, which libvirt forgets once queried.
func (m libvirt) Around() (before, after assay.Cmd) {
	return virsh("migrate-getmaxdowntime", "--domain", m.Guest), virsh("domjobinfo", "--domain", m.Guest, "--completed")
}

// Progress implements Hypervisor.
func (m libvirt) Progress(ctx context.Context, from assay.Place) (assay.Step, Report, bool) {
	c := virsh("domjobinfo", "--domain", m.Guest)
	out, err := from.Run(ctx, c)
	step := assay.Step{Argv: c.Argv, Output: out}
	if err != nil || out.Exit != 0 {
		return step, Report{}, false // the mover gets that error
	}
	r, ok := ReadProgress(out.Stdout)
	return step, r, ok
}

// Room returns how much memory a host has available, in bytes: with what its ARC would give
// back where it has ZFS.
func Room(ctx context.Context, at assay.Place) (int64, error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"cat", "/proc/meminfo"}, Timeout: patience})
	if err != nil {
		return 0, fmt.Errorf("%s: its memory: %w", at.Host().Name, err)
	}
	for line := range strings.Lines(string(out.Stdout)) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == "MemAvailable:" {
			if kib, err := strconv.ParseInt(words[1], 10, 64); err == nil && kib >= 0 && kib < 1<<50 {
				return kib<<10 + reclaimable(ctx, at), nil
			}
		}
	}
	return 0, fmt.Errorf("%s: its memory: %w", at.Host().Name, assay.ErrNoOutput)
}

// reclaimable returns what a host's ARC would give back, in bytes; 0 if it has none or does
// not tell.
func reclaimable(ctx context.Context, at assay.Place) int64 {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"cat", "/proc/spl/kstat/zfs/arcstats"}, Timeout: patience})
	if err != nil || out.Exit != 0 {
		return 0
	}
	arc, err := zfs.ReadARC(out.Stdout)
	if err != nil {
		return 0
	}
	return arc.Reclaimable()
}
