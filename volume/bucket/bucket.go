package bucket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assay"
	"assay/stacks/kube"
	"assay/stacks/s3/agent"
	"assay/stacks/s3/credentials"
)

// Kind is the volume's name in receipts and suites.
const Kind = "bucket"

// Volume lends buckets.
type Volume struct {
	secrets  credentials.Secrets
	binaries binaries
}

// New returns the volume. secrets reads Kubernetes secrets; nil if there is
// nowhere to read them from.
func New(secrets credentials.Secrets) *Volume { return &Volume{secrets: secrets} }

// Kind is the volume's name in receipts and suites.
func (*Volume) Kind() string { return Kind }

// The roles of names in a receipt.
const (
	roleBucket    = "bucket"    // also the name of a Garage's key
	roleDirectory = "directory" // its last element; the host picks the parent
	roleStore     = "store"     // assay.ObjectStore as JSON: where it is, and where keys come from
)

// Reserve names a bucket, and a directory on the host.
func (*Volume) Reserve(_ context.Context, _ assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	id := want.ID
	if err := want.Way.Check(Kind); err != nil {
		return assay.Receipt{}, err
	}
	if err := assay.CheckID(id); err != nil {
		return assay.Receipt{}, err
	}
	if s.Store == nil || len(s.Store.Endpoints) == 0 {
		return assay.Receipt{}, fmt.Errorf("bucket %s: no endpoint given", s.Name)
	}
	store, err := json.Marshal(s.Store)
	if err != nil {
		return assay.Receipt{}, err
	}
	return assay.Receipt{
		ID: id, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes,
		Names: map[string]string{roleBucket: "assay-" + id, roleDirectory: ".assay-" + id, roleStore: string(store)},
	}, nil
}

// made is the checked content of a receipt.
type made struct {
	bucket, directory, id string
	store                 assay.ObjectStore
}

// read refuses a receipt that Reserve would not have made: it comes from a file,
// and Release removes what it names.
func read(r assay.Receipt) (made, error) {
	m := made{bucket: r.Names[roleBucket], directory: r.Names[roleDirectory], id: r.ID}
	err := json.Unmarshal([]byte(r.Names[roleStore]), &m.store)
	if err != nil || r.Volume != Kind || !assay.SafeID(r.ID) || m.bucket != "assay-"+r.ID || m.directory != ".assay-"+r.ID || len(m.store.Endpoints) == 0 {
		return made{}, fmt.Errorf("receipt %q is not for a scratch bucket of assay", r.ID)
	}
	return m, nil
}

// Lend makes directory, key and bucket, and tries the bucket at every endpoint.
// Its errors explain in plain words what is wrong with keys, clocks, regions
// and certificates.
func (v *Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	m, err := read(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	// The directory first: it tells Release that nothing was made, even if there
	// are no secrets to check with.
	dir, err := v.settle(ctx, at, m.directory, agent.Untouched)
	if err != nil {
		return assay.Scratch{}, err
	}
	store, err := v.open(ctx, m)
	if err != nil {
		return assay.Scratch{}, err
	}
	if _, err := ask(ctx, at, dir, agent.Job{Do: agent.Make, Dir: dir, Store: store, Bound: 2 * time.Minute}); err != nil {
		return assay.Scratch{}, fmt.Errorf("bucket of %s from %s: %w", m.store.Name, at.Host().Name, err)
	}
	return assay.Scratch{Dir: dir, File: m.bucket, Bytes: r.Bytes}, nil
}

// Release empties and removes the bucket, and removes key and directory. If the
// host is gone or runs no programs, the bucket is removed from this machine; for a
// host that is gone it still returns an error, since the directory may be left. A
// pod's directory is gone with the pod. If nothing was made from a directory yet,
// the store is not contacted: it may not accept the keys.
func (v *Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	m, err := read(r)
	if err != nil {
		return err
	}
	dir, untouched, err := look(ctx, at, m.directory)
	if untouched {
		return clearAway(ctx, at, m.directory)
	}
	store, locked := v.open(ctx, m)
	if errors.Is(err, kube.ErrRemoved) {
		return fromHere(ctx, m, store, locked)
	}
	if errors.Is(err, assay.ErrHostGone) {
		return errors.Join(err, fromHere(ctx, m, store, locked))
	}
	if err != nil {
		return err
	}
	if locked != nil && m.store.Garage == nil && dir != "" {
		store, locked = sealed(m), nil // the keys are still beside the agent
	}
	if locked != nil {
		return locked
	}
	if dir, err = v.revive(ctx, at, m, dir, store); err != nil {
		return err
	}
	if dir == "" {
		err = fromHere(ctx, m, store, nil)
	} else if reply, rerr := ask(ctx, at, dir, agent.Job{Do: agent.Remove, Dir: dir, Store: store, Bound: within(ctx)}); rerr != nil {
		err = m.remains(at.Host().Name, reply, rerr)
	}
	if err != nil {
		return err
	}
	return clearAway(ctx, at, m.directory)
}

// revive returns a directory whose agent answers: the existing one or a new one; ""
// if the host runs no programs.
func (v *Volume) revive(ctx context.Context, at assay.Place, m made, dir string, store *agent.Store) (string, error) {
	var broken *notRun
	if dir != "" {
		_, err := ask(ctx, at, dir, agent.Job{Do: agent.Hello})
		if err == nil || !errors.As(err, &broken) {
			return dir, err
		}
		if store.Keys == nil && store.Garage == nil {
			return "", err // replacing the agent would remove the keys
		}
		if err := clearAway(ctx, at, m.directory); err != nil {
			return "", err
		}
	}
	// No mark: what the other directory made is still to be removed.
	dir, err := v.settle(ctx, at, m.directory, "")
	if errors.Is(err, errNoProgram) || errors.As(err, &broken) {
		return "", nil
	}
	return dir, err
}

// releaseBound is the maximum time for emptying a bucket: a Garage removes some
// hundred objects a second per core.
const releaseBound = 30 * time.Minute

// within returns how long emptying may take under ctx, leaving the agent time to
// report how far it got.
func within(ctx context.Context) time.Duration {
	end, bounded := ctx.Deadline()
	if !bounded {
		return releaseBound
	}
	return max(min(releaseBound, time.Until(end)*9/10), time.Millisecond)
}

// remains returns the error for a bucket that is not gone, with how much of it
// was removed.
func (m made) remains(from string, r agent.Reply, err error) error {
	if r.Removed > 0 {
		err = fmt.Errorf("%w, after %d objects", err, r.Removed)
	}
	err = fmt.Errorf("remove bucket %s of %s from %s: %w", m.bucket, m.store.Name, from, err)
	if assay.Hint(err) != "" {
		return err
	}
	return assay.WithHint("run: assay cleanup; it continues from here", "%w", err)
}

// fromHere removes a bucket, working from this machine.
func fromHere(ctx context.Context, m made, store *agent.Store, locked error) error {
	if locked != nil {
		return locked
	}
	reply, err := agent.Do(ctx, agent.Job{Do: agent.Remove, Dir: "/nonexistent", Store: store, Bound: within(ctx)}, time.Now(), nil)
	if err != nil {
		return m.remains("this machine", reply, err)
	}
	return nil
}

// open returns a store with its secrets.
func (v *Volume) open(ctx context.Context, m made) (*agent.Store, error) {
	store := sealed(m)
	if m.store.Garage != nil {
		token, err := credentials.Token(ctx, m.store, v.secrets)
		if err != nil {
			return store, err
		}
		store.Garage = &agent.Garage{Address: m.store.Garage.Address, Token: token}
		return store, nil
	}
	keys, err := credentials.Of(ctx, m.store, v.secrets)
	if err != nil {
		return store, err
	}
	store.Keys = &agent.Keys{Access: keys.Access, Secret: keys.Secret, Session: keys.Session}
	return store, nil
}

// sealed returns a store without its secrets.
func sealed(m made) *agent.Store {
	return &agent.Store{Endpoints: m.store.Endpoints, Region: m.store.Region, VirtualHost: m.store.VirtualHost, CA: m.store.CA,
		Bucket: m.bucket, Owner: m.id}
}
