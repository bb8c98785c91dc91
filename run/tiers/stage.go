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
	"assay/kube"
	placeall "assay/place/all"
	placekube "assay/place/kube"
	"assay/volume/namespace"
)

// Options say which tiers are put in place, and with what.
type Options struct {
	Cluster cluster.Cluster
	Tiers   []cluster.Tier // of Cluster, those that are meant
	Here    string         // the name of this machine
	Run     string         // the run's id: what is made carries it
	// Deadline is when pods end by themselves, also where nobody is left to remove
	// them.
	Deadline time.Duration
	// Keep leaves everything in place when the run is over.
	Keep   bool
	Local  func() assay.Place
	Remote func(cluster.Host) (assay.Place, error)
}

// Journal keeps receipts of what is made: Keep before it is, and Strike once it is
// gone.
type Journal struct {
	Keep   func(context.Context, assay.Receipt) error
	Strike func(ctx context.Context, id string) error
}

// Stage is the tiers of a run with the hosts that measure them.
type Stage struct {
	options   Options
	clients   []*client
	places    map[string]assay.Place // by host name
	cluster   *kube.Cluster          // nil without pods
	id        string                 // of the namespace's receipt
	space     string                 // the namespace of the pods
	namespace assay.Receipt          // no ID where nothing was made
	journal   Journal

	// Notes are what Check and Complete found that should be known beside the figures.
	Notes []assay.Note
}

// striking bounds how long the journal may take, once all is gone.
const striking = time.Minute

// Open prepares the tiers and contacts nobody.
func Open(o Options) (*Stage, error) {
	s := &Stage{options: o, places: map[string]assay.Place{}}
	names := map[string]string{}
	for _, t := range o.Tiers {
		clients, err := o.clientsOf(t)
		if err != nil {
			return nil, err
		}
		for _, one := range clients {
			if other, taken := names[one.host.Name]; taken && (one.inPod() || other != "") {
				return nil, fmt.Errorf("%s: tier %s needs a host named %s, and tier %s has it", o.Cluster.File, t.Name, one.host.Name, other)
			}
			names[one.host.Name] = ""
			if one.inPod() {
				names[one.host.Name] = t.Name
			}
		}
		s.clients = append(s.clients, clients...)
	}
	if len(s.pods()) > 0 {
		access, err := o.access()
		if err != nil {
			return nil, err
		}
		if s.cluster, err = kube.Connect(access); err != nil {
			return nil, err
		}
		s.id = randomID()
		s.space = cmp.Or(string(o.Cluster.Kubernetes.Namespace), namespace.Name(s.id))
	}
	if err := s.openPlaces(); err != nil {
		hosts, pods := s.closePlaces()
		return nil, errors.Join(err, hosts, pods)
	}
	return s, nil
}

// openPlaces gives each host its place: one for all tiers that it measures.
func (s *Stage) openPlaces() error {
	for _, one := range s.clients {
		name := one.host.Name
		if s.places[name] != nil {
			continue
		}
		h := s.options.Cluster.Host(name)
		var at assay.Place
		var err error
		switch {
		case one.inPod():
			var o placekube.Options
			if o, err = s.podOptions(one); err == nil {
				one.pod, one.security = placeall.Pod(s.cluster, o), o.Security()
				at = one.pod
			}
		case h != nil:
			at, err = s.options.Remote(*h)
		default:
			at = s.options.Local()
		}
		if err != nil {
			return err
		}
		s.places[name] = at
	}
	return nil
}

// closePlaces leaves the hosts. What went wrong with pods is told apart.
func (s *Stage) closePlaces() (hosts, pods error) {
	var all sync.WaitGroup
	errs := make([]error, len(s.clients))
	seen := map[string]bool{}
	for i, one := range s.clients {
		at := s.places[one.host.Name]
		if at == nil || seen[one.host.Name] {
			continue
		}
		seen[one.host.Name] = true
		all.Go(func() { errs[i] = at.Close() })
	}
	all.Wait()
	for i, one := range s.clients {
		if one.inPod() {
			pods = errors.Join(pods, errs[i])
		} else {
			hosts = errors.Join(hosts, errs[i])
		}
	}
	return hosts, pods
}

// Asked are the hosts with what of them is asked for their facts.
func (s *Stage) Asked() []inventory.Asked {
	var all []inventory.Asked
	for _, one := range s.clients {
		i := slices.IndexFunc(all, func(a inventory.Asked) bool { return a.Place.Host().Name == one.host.Name })
		if i < 0 {
			all = append(all, inventory.Asked{Place: s.places[one.host.Name]})
			i = len(all) - 1
		}
		if p := one.directory(); p != "" && !slices.Contains(all[i].Dirs, p) {
			all[i].Dirs = append(all[i].Dirs, p)
		}
	}
	return all
}

// Pods are the names of the hosts that are pods of this run alone.
func (s *Stage) Pods() []string {
	var names []string
	for _, one := range s.pods() {
		names = append(names, one.host.Name)
	}
	return names
}

// Raise makes the namespace and the pods. A pod that does not come up costs its own
// host, on which every command then ends with the reason; it is an error where
// that leaves no host at all. What was made until an error is taken away by Lower.
// tell is told of what takes long.
func (s *Stage) Raise(ctx context.Context, journal Journal, tell func(text string)) error {
	s.journal = journal
	pods := s.pods()
	if len(pods) == 0 {
		return nil
	}
	if err := s.Check(ctx); err != nil {
		return err
	}
	for _, note := range s.Notes {
		tell("note: " + note.Text)
	}
	if err := s.makeNamespace(ctx); err != nil {
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
	if ctx.Err() != nil || !slices.Contains(errs, nil) && len(pods) == len(s.places) {
		return errors.Join(errs...)
	}
	return nil
}

// makeNamespace lends the namespace of the run, or lets it work in one that the
// user gave.
func (s *Stage) makeNamespace(ctx context.Context) error {
	access, err := s.options.access()
	if err != nil {
		return err
	}
	v := namespace.Volume{Access: access, Security: s.security(), Run: s.options.Run, Given: string(s.options.Cluster.Kubernetes.Namespace), Hosts: s.Pods()}
	receipt, err := v.Reserve(ctx, nil, assay.Subject{ID: "namespace " + s.space, Host: s.options.Here}, assay.Request{ID: s.id})
	if err != nil {
		return err
	}
	receipt.Kept = s.options.Keep
	if err := s.journal.Keep(ctx, receipt); err != nil {
		return fmt.Errorf("nothing was created, since it cannot be journalled: %w", err)
	}
	s.namespace = receipt
	_, err = v.Lend(ctx, s.options.Local(), receipt)
	return err
}

// Check asks the Kubernetes for all that the pods are going to need: rights,
// nodes, storage classes. It makes nothing. What a user of one namespace can do
// without goes into the notes.
func (s *Stage) Check(ctx context.Context) error {
	if len(s.pods()) == 0 {
		return nil
	}
	needs := kube.Needs{Namespace: string(s.options.Cluster.Kubernetes.Namespace)}
	for _, one := range s.clients {
		if one.node != "" && !slices.Contains(needs.Nodes, one.node) {
			needs.Nodes = append(needs.Nodes, one.node)
		}
		needs = needs.And(one.requires())
	}
	notes, err := s.cluster.Preflight(ctx, needs)
	s.Notes = append(s.Notes, notes...)
	return err
}

// security is the least level that allows all pods.
func (s *Stage) security() kube.Security {
	level := kube.Restricted
	for _, one := range s.pods() {
		level = level.AtLeast(one.security)
	}
	return level
}

// Lower takes away what Raise made and leaves the hosts, also after ctx was
// cancelled. What it cannot take away stays in the journal.
func (s *Stage) Lower(ctx context.Context) error {
	hosts, pods := s.closePlaces()
	if s.namespace.ID == "" || s.options.Keep {
		return errors.Join(hosts, pods)
	}
	ctx = context.WithoutCancel(ctx)
	if err := namespace.New().Release(ctx, s.options.Local(), s.namespace); err != nil { // within a time of its own
		return errors.Join(hosts, pods, err)
	}
	// All that a pod had is seen to be gone, however long it took.
	ctx, cancel := context.WithTimeout(ctx, striking)
	defer cancel()
	return errors.Join(hosts, s.journal.Strike(ctx, s.namespace.ID))
}

func randomID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return hex.EncodeToString(b[:])
}
