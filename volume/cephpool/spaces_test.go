package cephpool_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/ceph"
	"assay/probe/rados"
	reading "assay/stacks/ceph"
	"assay/volume/radosspace"
)

// spaces is a Ceph and one of its hosts, with a key for assay's namespaces alone. They are
// tested here, where a Ceph is up.
type spaces struct {
	*ceph.Lab
	at assay.Place
}

func spaceFor(user string) assay.Subject {
	s := subject("host1", user)
	s.Volume = radosspace.Kind
	return s
}

// rados runs as client.admin.
func (b spaces) rados(t *testing.T, words ...string) string {
	t.Helper()
	text, err := b.Hosts.Run(t.Context(), "host1", append([]string{"rados", "-p", ceph.Pool}, words...)...)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// objects lists those of all namespaces.
func (b spaces) objects(t *testing.T) []string {
	t.Helper()
	all := strings.Fields(b.rados(t, "ls", "--all"))
	slices.Sort(all)
	return all
}

func (b spaces) reserve(t *testing.T, bytes int64) assay.Receipt {
	t.Helper()
	s := spaceFor("narrow")
	r, err := radosspace.New().Reserve(t.Context(), b.at, s, assay.Request{ID: id, Bytes: bytes})
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	return r
}

func (b spaces) release(t *testing.T, r assay.Receipt) {
	t.Helper()
	for range 2 { // it is idempotent
		if err := radosspace.New().Release(t.Context(), b.at, r); err != nil {
			t.Error(err, assay.Hint(err))
		}
	}
}

// namespaces are lent, measured and emptied, and nothing else in the pool is touched.
func namespaces(t *testing.T, in bed) {
	l, at := in.Lab, in.place(t, "host1")
	if err := l.NewUser(t.Context(), "narrow", reading.SpaceCapabilities(ceph.Pool)...); err != nil {
		t.Fatal(err)
	}
	defer in.ask(t, "auth", "rm", "client.narrow")
	b := spaces{l, at}
	// Objects of others in the pool, also under names that rados bench uses.
	for _, words := range [][]string{{"put", "mine", "/etc/hostname"}, {"-N", "others", "put", "benchmark_data_host1_1_object0", "/etc/hostname"}} {
		b.rados(t, words...)
	}
	defer func() {
		b.rados(t, "rm", "mine")
		b.rados(t, "-N", "others", "rm", "benchmark_data_host1_1_object0")
	}()
	before := b.objects(t)
	for _, c := range []struct {
		name string
		do   func(*testing.T, spaces)
	}{{"measured", spaceMeasured}, {"killed", spaceKilled}, {"refused", spaceRefused}} {
		t.Run(c.name, func(t *testing.T) {
			c.do(t, b)
			if after := b.objects(t); !slices.Equal(after, before) {
				t.Errorf("there is\n%q\nbefore there was\n%q", after, before)
			}
		})
	}
}

// trial is a rados bench as in a suite.
func trial(t *testing.T, op string) assay.Trial {
	t.Helper()
	inv := assay.Inventory{Subjects: []assay.Subject{spaceFor("narrow")}}
	all, err := rados.New().Trials(inv, assay.Case{Probe: "rados", Name: op, On: assay.KindPool, Seconds: 1, Set: map[string]string{"op": op, "bs": "64k"}})
	if err != nil || len(all) != 1 || all[0].Volume != radosspace.Kind {
		t.Fatal(all, err)
	}
	return all[0]
}

// spaceMeasured: writes and reads in a namespace give figures, and only its objects are
// removed.
func spaceMeasured(t *testing.T, b spaces) {
	r := b.reserve(t, 256<<20)
	defer b.release(t, r)
	s, err := radosspace.New().Lend(t.Context(), b.at, r)
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	if s.File != ceph.Pool+"/assay-"+id || s.Bytes != 256<<20 {
		t.Errorf("lent %+v", s)
	}
	probe := rados.New()
	for _, op := range []string{"write", "rand"} {
		tr, on := trial(t, op), assay.Bench{Place: b.at, Scratch: s, Length: time.Second}
		if _, err := probe.(assay.RepeatPreparer).PrepareRepeat(t.Context(), tr, on); err != nil {
			t.Fatal(op, err, assay.Hint(err))
		}
		got, err := probe.Run(t.Context(), tr, on)
		if err != nil {
			t.Fatal(op, err, assay.Hint(err))
		}
		all, err := probe.Parse(got)
		if err != nil || !slices.ContainsFunc(all, func(m assay.Measurement) bool { return strings.HasSuffix(m.Metric, ".iops") && m.Value > 0 }) {
			t.Errorf("%s: %v, %v", op, all, err)
		}
	}
	if _, err := radosspace.New().Lend(t.Context(), b.at, r); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("lent again: %v", err)
	}
}

// spaceKilled: what an unfinished bench left is removed.
func spaceKilled(t *testing.T, b spaces) {
	r := b.reserve(t, 64<<20)
	s, err := radosspace.New().Lend(t.Context(), b.at, r)
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := rados.New().Run(ctx, trial(t, "write"), assay.Bench{Place: b.at, Scratch: s, Length: time.Minute})
		ended <- err
	}()
	for len(strings.Fields(b.rados(t, "-N", "assay-"+id, "ls"))) == 0 {
		select {
		case err := <-ended:
			t.Fatal("it ended before it wrote", err)
		default:
		}
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("the bench went on")
	}
	b.release(t, r)
}

// spaceRefused: a key without access to any namespace, and a missing pool.
func spaceRefused(t *testing.T, b spaces) {
	if err := b.NewUser(t.Context(), "reader", "mon", "allow r", "mgr", "allow r"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := b.Ceph(t.Context(), "auth", "rm", "client.reader"); err != nil {
			t.Error(err)
		}
	}()
	s := spaceFor("reader")
	r, err := radosspace.New().Reserve(t.Context(), b.at, s, assay.Request{ID: id, Bytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := radosspace.New().Lend(t.Context(), b.at, r); !errors.Is(err, reading.ErrDenied) || !strings.Contains(assay.Hint(err), "namespace=assay-*") {
		t.Errorf("a narrow key: %v (%s)", err, assay.Hint(err))
	}
	s = spaceFor("narrow")
	s.Params["pool"] = "nowhere"
	if r, err = radosspace.New().Reserve(t.Context(), b.at, s, assay.Request{ID: id, Bytes: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	if _, err := radosspace.New().Lend(t.Context(), b.at, r); !errors.Is(err, assay.ErrNotFound) || !strings.Contains(assay.Hint(err), ceph.Pool) {
		t.Errorf("no pool: %v (%s)", err, assay.Hint(err))
	}
	b.release(t, r)
}
