package clones

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"assay"
	"assay/internal/sleep"
	"assay/inventory/cluster"
	"assay/run/tiers"
	"assay/volume/clone"
)

// Options says which guests to make, and with what.
type Options struct {
	// Cluster contains the guests, as returned by Named.
	Cluster cluster.Cluster
	// Guests holds the places of the guests to make, by name.
	Guests map[string]assay.Place
	IDs    map[string]string                       // of their receipts, by guest, as returned by Named
	Remote func(cluster.Host) (assay.Place, error) // opens a hypervisor
	Keep   bool                                    // leaves the guests in place after the run
}

// Deployment is the guests of a run.
type Deployment struct {
	options Options
	wants   []clone.Want
	volume  clone.Volume
	ways    map[string]assay.Place // hypervisors, by host
	journal tiers.Journal
	patient waiting

	mu     sync.Mutex
	made   []assay.Receipt
	images []assay.Receipt // images under the disks of those
	up     bool
}

// waiting holds the timings of waiting for guests.
type waiting struct {
	agent  time.Duration // until the agent answers
	settle time.Duration // until the guest has finished booting
	pause  time.Duration // between two looks
	tell   time.Duration // between two progress messages
}

// Named returns the cluster with a new name for each guest made for a run, and the ids of
// their future receipts. Each call returns different ones.
func Named(c cluster.Cluster) (cluster.Cluster, map[string]string) {
	ids := map[string]string{}
	return c.Call(func(h cluster.Host) string {
		ids[h.Name] = randomID()
		return clone.Name(h.Guest.Kind, ids[h.Name])
	}), ids
}

func randomID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return hex.EncodeToString(b[:])
}

// Open prepares the guests without contacting any host.
func Open(o Options) (*Deployment, error) {
	d := &Deployment{options: o, ways: map[string]assay.Place{}, patient: waiting{agent: 10 * time.Minute, settle: 3 * time.Minute, pause: 2 * time.Second, tell: 30 * time.Second}}
	for _, h := range o.Cluster.Hosts {
		if o.Guests[h.Name] == nil || !h.Made() {
			continue
		}
		c := h.Guest.Clone
		w := clone.Want{Guest: h.Name, On: h.Guest.On, Kind: h.Guest.Kind, Template: c.Of, Full: c.Full, Among: c.Among}
		if c.Image != nil {
			i := clone.Image(*c.Image)
			w.Image = &i
		}
		d.wants = append(d.wants, w)
		for _, host := range append([]string{h.Guest.On}, c.Among...) {
			if d.ways[host] != nil {
				continue
			}
			at, err := o.Remote(*o.Cluster.Host(host))
			if err != nil {
				return nil, errors.Join(err, d.leave())
			}
			d.ways[host] = at
		}
	}
	d.volume = clone.New().With(d.ways)
	return d, nil
}

func (d *Deployment) leave() error {
	var errs []error
	for _, at := range d.ways {
		errs = append(errs, at.Close())
	}
	return errors.Join(errs...)
}

// Hypervisors returns the places of the hypervisors that the guests are made on, by host.
// Teardown closes them.
func (d *Deployment) Hypervisors() map[string]assay.Place { return maps.Clone(d.ways) }

// Has reports whether a host is made for the run.
func (d *Deployment) Has(host string) bool { return d != nil && d.options.Guests[host] != nil }

// Unmade reports whether a host of the run has yet to be made.
func (d *Deployment) Unmade(host string) bool { return d.Has(host) && !d.up }

// Check asks the hypervisors whether all guests can be made, and returns the template of each.
// It makes nothing.
func (d *Deployment) Check(ctx context.Context) ([]clone.Template, error) {
	return d.volume.Check(ctx, d.wants)
}

// Deploy makes the guests, starts them, and waits until each guest agent answers. If one
// fails, Deploy fails; Teardown destroys what was made. Slow steps are reported to tell.
func (d *Deployment) Deploy(ctx context.Context, journal tiers.Journal, tell func(text string)) error {
	d.journal = journal
	templates, err := d.Check(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for _, host := range d.hosts() {
		all.Go(func() {
			if err := d.fetch(ctx, host, templates, tell); err != nil {
				cancel(err)
				return
			}
			for i, w := range d.wants {
				if w.On != host {
					continue
				}
				r, err := d.makeOne(ctx, w, templates[i], tell)
				if err != nil {
					cancel(err)
					return
				}
				all.Go(func() {
					if err := d.await(ctx, w, r, tell); err != nil {
						cancel(err)
					}
				})
			}
		})
	}
	all.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	d.up = true
	return nil
}

// hosts returns the hosts that guests are made on, each once.
func (d *Deployment) hosts() []string {
	var all []string
	for _, w := range d.wants {
		if !slices.Contains(all, w.On) {
			all = append(all, w.On)
		}
	}
	return all
}

// makeOne journals a guest and makes it.
func (d *Deployment) makeOne(ctx context.Context, w clone.Want, t clone.Template, tell func(string)) (assay.Receipt, error) {
	if err := ctx.Err(); err != nil {
		return assay.Receipt{}, err
	}
	tell(fmt.Sprintf("%s: cloning %s on %s", w.Guest, w.Title(), w.On))
	r, err := d.volume.Reserve(ctx, d.options.IDs[w.Guest], w, t)
	if err != nil {
		return r, fmt.Errorf("%s: %w", w.Guest, err)
	}
	r.Kept = d.options.Keep
	if err := d.journal.Keep(ctx, r); err != nil {
		return r, fmt.Errorf("%s was not made, because the journal cannot be written: %w", w.Guest, err)
	}
	d.mu.Lock()
	d.made = append(d.made, r)
	d.mu.Unlock()
	if err := d.volume.Make(ctx, r, t); err != nil {
		return r, fmt.Errorf("%s: %w", w.Guest, err)
	}
	return r, nil
}

// settled waits until systemd and cloud-init, if present, report that the guest has booted:
// their work would be measured too.
const settled = `command -v systemctl >/dev/null && systemctl is-system-running --wait >/dev/null 2>&1
command -v cloud-init >/dev/null && cloud-init status --wait >/dev/null 2>&1
:`

// await returns once the agent of a guest answers and the guest has booted.
func (d *Deployment) await(ctx context.Context, w clone.Want, r assay.Receipt, tell func(string)) error {
	at := d.options.Guests[w.Guest]
	begun, told := time.Now(), time.Now()
	tell(w.Guest + ": waiting for its guest agent")
	for {
		out, err := at.Run(ctx, assay.Cmd{Argv: []string{"true"}, Timeout: time.Minute})
		if err == nil && out.Exit == 0 {
			break
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			err = fmt.Errorf("true exited %d in it", out.Exit)
		}
		elapsed := time.Since(begun)
		runs, rerr := d.volume.Running(ctx, r)
		switch {
		case rerr == nil && !runs:
			return assay.WithHint(hints(w).off,
				"%s, a clone of %s on %s, shut down after %s, before its guest agent answered", w.Guest, w.Title(), w.On, elapsed.Round(time.Second))
		case elapsed > d.patient.agent:
			return assay.WithHint(hints(w).deaf,
				"%s, a clone of %s on %s: its guest agent did not answer within %s: %w", w.Guest, w.Title(), w.On, d.patient.agent, err)
		case time.Since(told) > d.patient.tell:
			told = time.Now()
			tell(fmt.Sprintf("%s: waiting for its guest agent (%s of at most %s)", w.Guest, elapsed.Round(time.Second), d.patient.agent))
		}
		if err := sleep.For(ctx, d.patient.pause); err != nil {
			return err
		}
	}
	tell(fmt.Sprintf("%s: its guest agent answers after %s; waiting until it has booted", w.Guest, time.Since(begun).Round(time.Second)))
	_, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", settled}, Timeout: d.patient.settle})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, assay.ErrTimeout):
		tell(fmt.Sprintf("note: %s was still booting after %s, which may disturb what is measured in it", w.Guest, d.patient.settle))
	case err != nil:
		return fmt.Errorf("%s: %w", w.Guest, err)
	}
	return nil
}

// hints returns what to do about a guest that is not up: it shut down, or its agent
// does not answer.
func hints(w clone.Want) (h struct{ off, deaf string }) {
	h.off = "start the template once by hand and see whether it boots, then turn it off again"
	h.deaf = "install and enable qemu-guest-agent in " + w.Template + ", and see that it boots by itself"
	if w.Image != nil {
		h.off = "see whether the image boots by hand; it has to suit the host's firmware and architecture"
		h.deaf = "the image needs cloud-init, and qemu-guest-agent in it or a network with DHCP and a mirror from which cloud-init installs it (bridge: names another); see what it does with --keep and: virsh console NAME"
	}
	return h
}

// Teardown destroys the guests and closes the hypervisors, even if ctx was cancelled. What it
// cannot destroy stays in the journal.
func (d *Deployment) Teardown(ctx context.Context) error {
	if d.options.Keep {
		return d.leave()
	}
	return errors.Join(
		d.release(ctx, d.made, d.volume.Release),
		d.release(ctx, d.images, func(ctx context.Context, _ assay.Place, r assay.Receipt) error {
			return clone.Images{}.Release(ctx, d.ways[r.Host], r)
		}),
		d.leave(),
	)
}

// release releases everything that was made, all at once.
func (d *Deployment) release(ctx context.Context, made []assay.Receipt, release func(context.Context, assay.Place, assay.Receipt) error) error {
	errs := make([]error, len(made))
	var all sync.WaitGroup
	for i, r := range made {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releasing)
			defer cancel()
			if errs[i] = release(ctx, nil, r); errs[i] == nil {
				errs[i] = d.journal.Strike(ctx, r.ID)
			} else {
				errs[i] = fmt.Errorf("%s: %w", r.Subject, errs[i])
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// releasing bounds the destruction of one guest.
const releasing = 10 * time.Minute

// Removed returns the guests as they are after Teardown, by name: gone.
func (d *Deployment) Removed() map[string]assay.Place {
	all := map[string]assay.Place{}
	for name, at := range d.options.Guests {
		all[name] = destroyed{at}
	}
	return all
}

// destroyed is a guest that is gone.
type destroyed struct{ assay.Place }

func (d destroyed) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, fmt.Errorf("host %s: %w", d.Host().Name, clone.Gone(d.Host().Name))
}
