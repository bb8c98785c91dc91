package cephpool_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay"
	"assay/lab/ceph"
	"assay/lab/ceph/cephtest"
	"assay/lab/hosts"
	"assay/place/ssh"
	reading "assay/stacks/ceph"
	"assay/volume/cephpool"
)

const id = "0123456789abcdef"

// bed is a Ceph whose hosts use it as an ordinary user with a narrow key.
type bed struct {
	*ceph.Lab
	before string
}

func (b bed) place(t *testing.T, host string) assay.Place {
	t.Helper()
	at := ssh.New(assay.Host{Name: host}, ssh.Options{Address: b.Hosts.Address(host, hosts.Management), User: hosts.User, ConfigFile: b.Hosts.Config()})
	t.Cleanup(func() {
		if err := at.Close(); err != nil {
			t.Error(err)
		}
	})
	return at
}

func subject(host, user string) assay.Subject {
	return assay.Subject{ID: host + "/pool/vms", Kind: assay.KindPool, Host: host, Name: "vms", Tier: "vms", Volume: cephpool.Kind,
		Params: map[string]string{"pool": ceph.Pool, "user": user}}
}

// ask runs as client.admin.
func (b bed) ask(t *testing.T, words ...string) string {
	t.Helper()
	text, err := b.Ceph(t.Context(), words...)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// things returns what a run could leave: pools, options and keys.
func (b bed) things(t *testing.T) string {
	t.Helper()
	return b.ask(t, "osd", "pool", "ls") + b.ask(t, "config", "dump", "--format", "json") + b.ask(t, "auth", "ls")
}

func reserve(t *testing.T, at assay.Place, s assay.Subject, id string, bytes int64) assay.Receipt {
	t.Helper()
	r, err := cephpool.New().Reserve(t.Context(), at, s, assay.Request{ID: id, Bytes: bytes})
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	return r
}

func release(t *testing.T, at assay.Place, r assay.Receipt) {
	t.Helper()
	if err := cephpool.New().Release(t.Context(), at, r); err != nil {
		t.Error(err, assay.Hint(err))
	}
}

// TestOnACeph lends and releases on one Ceph that stays up for all cases.
func TestOnACeph(t *testing.T) {
	b := bed{Lab: cephtest.Up(t, ceph.Standard)}
	b.before = b.things(t)
	for _, c := range []struct {
		name string
		do   func(*testing.T, bed)
	}{
		{"lent and gone", lent}, {"several hosts", several}, {"cancelled", cancelled}, {"restored", restored}, {"refused", refused},
		{"narrow key", narrow}, {"namespaces", namespaces}, {"health", health},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.do(t, b)
			if after := b.things(t); after != b.before {
				t.Errorf("something is left:\n%s\nbefore it was\n%s", after, b.before)
			}
		})
	}
}

// lent: the pool matches the one it stands for, takes objects, and goes with them.
func lent(t *testing.T, b bed) {
	for name, value := range map[string]string{"min_size": "1", "compression_mode": "aggressive"} {
		b.ask(t, "osd", "pool", "set", ceph.Pool, name, value)
	}
	defer func() {
		b.ask(t, "osd", "pool", "set", ceph.Pool, "min_size", "2")
		b.ask(t, "osd", "pool", "set", ceph.Pool, "compression_mode", "none")
	}()
	at := b.place(t, "host2")
	r := reserve(t, at, subject("host2", "assay"), id, 1<<40)
	if b.things(t) != b.before {
		t.Error("something exists before Lend")
	}
	s, err := cephpool.New().Lend(t.Context(), at, r)
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	if s.File != "assay-"+id || s.Bytes < 1<<30 || s.Bytes > 2<<30 {
		t.Errorf("of three OSDs of 4 GiB and three copies it lends %+v", s)
	}
	pools, err := reading.ReadPools([]byte(b.ask(t, "osd", "pool", "ls", "detail", "--format", "json")))
	if err != nil {
		t.Fatal(err)
	}
	find := func(name string) reading.Pool {
		i := slices.IndexFunc(pools, func(p reading.Pool) bool { return p.Name == name })
		if i < 0 {
			t.Fatalf("no pool %s", name)
		}
		p := pools[i]
		p.Name = ""
		return p
	}
	text := func(p reading.Pool) string {
		b, _ := json.Marshal(p)
		return string(b)
	}
	if got, want := text(find(s.File)), text(find(ceph.Pool)); got != want {
		t.Errorf("the pool is\n%s\nthe one it stands for\n%s", got, want)
	}
	for _, words := range [][]string{{"put", "a", "/etc/hostname"}, {"stat", "a"}} {
		if out, err := at.Run(t.Context(), assay.Cmd{Argv: reading.Access{User: "assay"}.Argv("rados", append([]string{"-p", s.File}, words...)...)}); err != nil || out.Exit != 0 {
			t.Errorf("%q: %v %s", words, err, out.Stderr)
		}
	}
	// The key cannot reach anything that is not lent.
	if out, err := at.Run(t.Context(), assay.Cmd{Argv: reading.Access{User: "assay"}.Argv("rados", "-p", ceph.Pool, "put", "a", "/etc/hostname")}); err != nil || out.Exit == 0 {
		t.Errorf("an object of %s was written: %v", ceph.Pool, err)
	}
	if _, err := cephpool.New().Lend(t.Context(), at, r); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("a second Lend took over what the first had made: %v", err)
	}
	release(t, at, r)
	release(t, at, r)
}

// several: each host has its own pool, and all are removed at once.
func several(t *testing.T, b bed) {
	var all sync.WaitGroup
	for i, host := range b.Hosts.Names() {
		at := b.place(t, host)
		r := reserve(t, at, subject(host, "assay"), id+string(rune('a'+i)), 128<<20)
		if _, err := cephpool.New().Lend(t.Context(), at, r); err != nil {
			t.Error(err, assay.Hint(err))
		}
		defer all.Wait()
		defer all.Go(func() { release(t, at, r) })
	}
}

// cancelled: what an interrupted Lend left half made is removed.
func cancelled(t *testing.T, b bed) {
	at := b.place(t, "host1")
	r := reserve(t, at, subject("host1", "assay"), id, 128<<20)
	release(t, at, r)
	ctx, cancel := context.WithCancel(t.Context())
	stopped := stopper{Place: at, after: "create", stop: cancel}
	if _, err := cephpool.New().Lend(ctx, stopped, r); !errors.Is(err, context.Canceled) {
		t.Errorf("it was cancelled: %v", err)
	}
	if !strings.Contains(b.ask(t, "osd", "pool", "ls"), "assay-"+id) {
		t.Error("the pool was not made")
	}
	release(t, at, r)
}

// stopper is a place that calls stop after a command that contains a given
// word.
type stopper struct {
	assay.Place
	after string
	stop  func()
}

func (s stopper) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	out, err := s.Place.Run(ctx, c)
	if slices.Contains(c.Argv, s.after) {
		s.stop()
	}
	return out, err
}

// restored: the option that allows pool deletion is restored to any earlier value,
// even if a Release was killed halfway.
func restored(t *testing.T, b bed) {
	at := b.place(t, "host1")
	for _, was := range []string{"", "true"} {
		words := []string{"config", "set", "mon", reading.AllowDelete, was}
		if was == "" {
			words = []string{"config", "rm", "mon", reading.AllowDelete}
		}
		b.ask(t, words...)
		now := b.things(t)
		r := reserve(t, at, subject("host1", "assay"), id, 128<<20)
		if len(r.Restore) != 1 || r.Restore[0].Value != was {
			t.Errorf("the journal has %+v; it is %q", r.Restore, was)
		}
		if _, err := cephpool.New().Lend(t.Context(), at, r); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		dead := stopper{Place: killed{at, ctx}, after: "set", stop: cancel}
		if err := cephpool.New().Release(ctx, dead, r); err == nil {
			t.Error("a Release that was killed says that all is well")
		}
		if b.things(t) == now {
			t.Error("it was killed too early to leave anything")
		}
		release(t, at, r)
		if got := b.things(t); got != now {
			t.Errorf("it was %q, and now\n%s", was, got)
		}
	}
	b.ask(t, "config", "rm", "mon", reading.AllowDelete)
}

// killed is a place that does nothing once its program is dead, whatever context
// a call passes.
type killed struct {
	assay.Place
	dead context.Context
}

func (k killed) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := k.dead.Err(); err != nil {
		return assay.Output{}, err
	}
	return k.Place.Run(ctx, c)
}

// refused: names that Reserve would never choose.
func refused(t *testing.T, b bed) {
	at, v := b.place(t, "host1"), cephpool.New()
	for _, bad := range []string{"", "x", "../../../../etc", "01234567 89", "$(reboot)aaaa"} {
		if _, err := v.Reserve(t.Context(), at, subject("host1", "assay"), assay.Request{ID: bad, Bytes: 1}); err == nil {
			t.Errorf("id %q was accepted", bad)
		}
	}
	if _, err := v.Reserve(t.Context(), at, subject("host1", "assay"), assay.Request{ID: id, Bytes: 1, Way: assay.Way{"sync": "1"}}); assay.Hint(err) == "" {
		t.Errorf("a way that nobody knows: %v", err)
	}
	good := reserve(t, at, subject("host1", "assay"), id, 1<<20)
	for name, forge := range map[string]func(*assay.Receipt){
		"another pool":  func(r *assay.Receipt) { r.Names = map[string]string{"pool": ceph.Pool, "how": r.Names["how"]} },
		"nothing known": func(r *assay.Receipt) { r.Names = map[string]string{"pool": r.Names["pool"]} },
		"another option": func(r *assay.Receipt) {
			r.Restore = []assay.Property{{Of: "mon", Name: "auth_client_required", Value: "none"}}
		},
		"another value": func(r *assay.Receipt) {
			r.Restore = []assay.Property{{Of: "mon", Name: reading.AllowDelete, Value: "--x"}}
		},
	} {
		forged := good
		forge(&forged)
		if err := v.Release(t.Context(), at, forged); err == nil {
			t.Errorf("%s: released", name)
		}
	}
	unknown := subject("host1", "assay")
	unknown.Params["pool"] = "nowhere"
	if _, err := v.Lend(t.Context(), at, reserve(t, at, unknown, id, 1<<20)); !errors.Is(err, assay.ErrNotFound) || !strings.Contains(assay.Hint(err), ceph.Pool) {
		t.Errorf("a pool that is not there: %v (%s)", err, assay.Hint(err))
	}
}

// narrow: a key that is missing or too narrow is an error with the command that
// creates a better one.
func narrow(t *testing.T, b bed) {
	if err := b.NewUser(t.Context(), "reader", "mon", "allow r", "mgr", "allow r"); err != nil {
		t.Fatal(err)
	}
	defer b.ask(t, "auth", "rm", "client.reader")
	at := b.place(t, "host1")
	r := reserve(t, at, subject("host1", "reader"), id, 1<<20)
	if _, err := cephpool.New().Lend(t.Context(), at, r); !errors.Is(err, reading.ErrDenied) || !strings.Contains(assay.Hint(err), "ceph auth get-or-create client.reader") {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
	release(t, at, r)
	for _, user := range []string{"nobody", "admin"} { // admin's keyring belongs to root
		_, err := cephpool.New().Reserve(t.Context(), at, subject("host1", user), assay.Request{ID: id, Bytes: 1})
		if !errors.Is(err, reading.ErrDenied) || !strings.Contains(assay.Hint(err), "ceph auth get-or-create") {
			t.Errorf("%s: %v (%s)", user, err, assay.Hint(err))
		}
	}
}

// health: an unhealthy cluster is not measured unless the user wants that.
func health(t *testing.T, b bed) {
	b.ask(t, "osd", "set", "noout")
	defer func() {
		b.ask(t, "osd", "unset", "noout")
		b.eventually(t, func(text string) bool { return strings.HasPrefix(text, "HEALTH_OK") })
	}()
	b.eventually(t, func(text string) bool { return strings.HasPrefix(text, "HEALTH_WARN") })
	at := b.place(t, "host1")
	r := reserve(t, at, subject("host1", "assay"), id, 1<<20)
	if _, err := cephpool.New().Lend(t.Context(), at, r); err == nil || !strings.Contains(err.Error(), "noout") || !strings.Contains(assay.Hint(err), "despite_health") {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
	release(t, at, r)
	despite := subject("host1", "assay")
	despite.Params["despite_health"] = "true"
	r = reserve(t, at, despite, id, 1<<20)
	if _, err := cephpool.New().Lend(t.Context(), at, r); err != nil {
		t.Error(err)
	}
	release(t, at, r)
}

func (b bed) eventually(t *testing.T, is func(string) bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Minute); !is(b.ask(t, "health")); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(b.ask(t, "health", "detail"))
		}
	}
}
