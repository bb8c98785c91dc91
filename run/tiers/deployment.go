package tiers

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"assay"
	"assay/inventory"
	"assay/inventory/cluster"
	"assay/stacks/kube"
	"assay/volume/namespace"
)

// Options says which tiers to deploy, and with what.
type Options struct {
	Cluster cluster.Cluster
	Tiers   []cluster.Tier // the chosen tiers of Cluster
	Here    string         // the name of this machine
	Run     string         // the run's id, which marks what is made
	// Deadline is when pods end by themselves, even if nobody is left to remove
	// them.
	Deadline time.Duration
	// Keep leaves everything in place after the run.
	Keep   bool
	Local  func() assay.Place
	Remote func(cluster.Host) (assay.Place, error)
}

// Journal keeps receipts of what is made: Keep is called before it is made, Strike
// once it is gone.
type Journal struct {
	Keep   func(context.Context, assay.Receipt) error
	Strike func(ctx context.Context, id string) error
}

// Deployment is the tiers of a run with the hosts that measure them.
type Deployment struct {
	options   Options
	clients   []*client
	places    map[string]assay.Place // by host name
	partial   map[string]bool        // tiers measured by only some of their clients, by name
	holders   []inventory.Asked      // hosts that hold data of tiers, but are no clients
	opened    map[string]assay.Place // theirs, and those of hosts that did not answer, by host name
	completed []assay.Note           // those of Notes that are of the last Complete
	cluster   *kube.Cluster          // nil without pods
	id        string                 // of the namespace's receipt
	space     string                 // the namespace of the pods
	namespace assay.Receipt          // no ID if nothing was made
	journal   Journal

	// Notes holds findings of Check and Complete that matter besides the figures.
	Notes []assay.Note
}

// striking bounds the journal update after all is gone.
const striking = time.Minute

// Open prepares the tiers without contacting any host.
func Open(o Options) (*Deployment, error) {
	d := &Deployment{options: o, places: map[string]assay.Place{}, opened: map[string]assay.Place{}, partial: map[string]bool{}}
	names := map[string]string{}
	for _, t := range o.Tiers {
		clients, err := o.clientsOf(t)
		if err != nil {
			return nil, err
		}
		for _, one := range clients {
			if other, taken := names[one.host.Name]; taken && (one.inPod() || other != "") {
				return nil, fmt.Errorf("%s: tier %s needs a host named %s, but tier %s already uses that name", o.Cluster.File, t.Name, one.host.Name, other)
			}
			names[one.host.Name] = ""
			if one.inPod() {
				names[one.host.Name] = t.Name
			}
		}
		for _, name := range spread(t) {
			if o.Cluster.Host(name) == nil {
				return nil, fmt.Errorf("%s: tier %s: no host %q", o.Cluster.File, t.Name, name)
			}
		}
		d.clients = append(d.clients, clients...)
	}
	if len(d.pods()) > 0 {
		access, err := o.access()
		if err != nil {
			return nil, err
		}
		if d.cluster, err = kube.Connect(access); err != nil {
			return nil, err
		}
		d.id = randomID()
		d.space = cmp.Or(string(o.Cluster.Kubernetes.Namespace), namespace.Name(d.id))
	}
	if err := d.openPlaces(); err != nil {
		hosts, pods := d.closePlaces()
		return nil, errors.Join(err, hosts, pods)
	}
	return d, nil
}

// openPlaces opens the place of each host: one for all tiers that it measures.
func (d *Deployment) openPlaces() error {
	for _, one := range d.clients {
		name := one.host.Name
		if d.places[name] != nil {
			continue
		}
		at, err := fromOf(one.tier).open(d, one)
		if err != nil {
			return err
		}
		d.places[name] = at
	}
	for _, name := range d.others() {
		at, err := d.options.Remote(*d.options.Cluster.Host(name))
		if err != nil {
			return err
		}
		d.places[name] = at
	}
	return nil
}

// closePlaces closes the hosts. Errors of pods are returned separately.
func (d *Deployment) closePlaces() (hosts, pods error) {
	var all sync.WaitGroup
	errs := make([]error, len(d.clients))
	seen := map[string]bool{}
	for i, one := range d.clients {
		at := d.places[one.host.Name]
		if at == nil || seen[one.host.Name] {
			continue
		}
		seen[one.host.Name] = true
		all.Go(func() { errs[i] = at.Close() })
	}
	all.Wait()
	for _, name := range d.others() {
		if at := d.places[name]; at != nil {
			hosts = errors.Join(hosts, at.Close())
		}
	}
	for _, at := range d.opened {
		hosts = errors.Join(hosts, at.Close())
	}
	for i, one := range d.clients {
		if one.inPod() {
			pods = errors.Join(pods, errs[i])
		} else {
			hosts = errors.Join(hosts, errs[i])
		}
	}
	return hosts, pods
}

// Asked returns the hosts, with what to ask of them for their facts.
func (d *Deployment) Asked() []inventory.Asked {
	var all []inventory.Asked
	for _, one := range d.clients {
		i := slices.IndexFunc(all, func(a inventory.Asked) bool { return a.Place.Host().Name == one.host.Name })
		if i < 0 {
			all = append(all, inventory.Asked{Place: d.places[one.host.Name], Devices: d.devices(one)})
			i = len(all) - 1
		}
		if p := one.directory(); p != "" && !slices.Contains(all[i].Dirs, p) {
			all[i].Dirs = append(all[i].Dirs, p)
		}
	}
	for _, name := range d.others() {
		all = append(all, inventory.Asked{Place: d.places[name]})
	}
	return all
}

// devices returns the client's devices that the cluster.yaml allows to be read as a
// whole.
func (d *Deployment) devices(c *client) []string {
	host := d.options.Cluster.Host(c.host.Name)
	if host == nil || c.inPod() {
		return nil
	}
	return host.Measure.Devices
}

// Pods returns the names of the hosts that are pods of this run alone.
func (d *Deployment) Pods() []string {
	var names []string
	for _, one := range d.pods() {
		names = append(names, one.host.Name)
	}
	return names
}

// Deploy makes the namespace and the pods. A pod that does not come up costs only its
// own host, where every command then fails with the reason; it is an error if no host
// is left. After an error, Teardown removes what was made. Slow steps are reported to
// tell.
func (d *Deployment) Deploy(ctx context.Context, journal Journal, tell func(text string)) error {
	d.journal = journal
	pods := d.pods()
	if len(pods) == 0 {
		return nil
	}
	if err := d.Check(ctx); err != nil {
		return err
	}
	for _, note := range d.Notes {
		tell("note: " + note.Text)
	}
	if err := d.makeNamespace(ctx); err != nil {
		return err
	}
	var all sync.WaitGroup
	errs := make([]error, len(pods))
	for i, one := range pods {
		all.Go(func() {
			errs[i] = one.pod.Open(ctx, func(text string) { tell(one.host.Name + ": " + text) })
		})
	}
	all.Wait()
	if ctx.Err() != nil || !slices.Contains(errs, nil) && len(pods) == len(d.places) {
		return errors.Join(errs...)
	}
	return nil
}

// makeNamespace creates the run's namespace, or makes the run use one given by
// the user.
func (d *Deployment) makeNamespace(ctx context.Context) error {
	access, err := d.options.access()
	if err != nil {
		return err
	}
	v := namespace.Volume{Access: access, Security: d.security(), Run: d.options.Run, Given: string(d.options.Cluster.Kubernetes.Namespace), Hosts: d.Pods()}
	receipt, err := v.Reserve(d.id, assay.Subject{ID: "namespace " + d.space, Host: d.options.Here})
	if err != nil {
		return err
	}
	receipt.Kept = d.options.Keep
	if err := d.journal.Keep(ctx, receipt); err != nil {
		return fmt.Errorf("nothing was created, because the journal cannot be written: %w", err)
	}
	d.namespace = receipt
	return v.Make(ctx, receipt)
}

// Check asks the Kubernetes for all that the pods will need: rights, nodes,
// storage classes. It makes nothing. It notes missing things that a user of one
// namespace can do without.
func (d *Deployment) Check(ctx context.Context) error {
	if len(d.pods()) == 0 {
		return nil
	}
	needs := kube.Needs{Namespace: string(d.options.Cluster.Kubernetes.Namespace)}
	for _, one := range d.clients {
		if one.node != "" && !slices.Contains(needs.Nodes, one.node) {
			needs.Nodes = append(needs.Nodes, one.node)
		}
		needs = needs.And(one.requires())
	}
	notes, err := d.cluster.Preflight(ctx, needs)
	d.Notes = append(d.Notes, notes...)
	return err
}

// security returns the lowest level that allows all pods.
func (d *Deployment) security() kube.Security {
	level := kube.Restricted
	for _, one := range d.pods() {
		level = level.AtLeast(one.security)
	}
	return level
}

// Teardown removes what Deploy made and closes the hosts, even if ctx was
// cancelled. What it cannot remove stays in the journal.
func (d *Deployment) Teardown(ctx context.Context) error {
	hosts, pods := d.closePlaces()
	if d.namespace.ID == "" || d.options.Keep {
		return errors.Join(hosts, pods)
	}
	ctx = context.WithoutCancel(ctx)
	if err := namespace.New().Release(ctx, d.options.Local(), d.namespace); err != nil { // this has its own timeout
		return errors.Join(hosts, pods, err)
	}
	// Everything of the pods is known to be gone, however long that took.
	ctx, cancel := context.WithTimeout(ctx, striking)
	defer cancel()
	return errors.Join(hosts, d.journal.Strike(ctx, d.namespace.ID))
}

func randomID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return hex.EncodeToString(b[:])
}
