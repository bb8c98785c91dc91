package radosspace

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	reading "assay/ceph"
	"assay/lab/ceph"
	"assay/lab/ceph/cephtest"
	"assay/lab/hosts"
	"assay/place/ssh"
	"assay/probe/rados"
)

// bed is a Ceph, and one of its hosts that asks with a key for assay's namespaces alone.
type bed struct {
	*ceph.Lab
	at assay.Place
}

// rados asks as client.admin.
func (b bed) rados(t *testing.T, words ...string) string {
	t.Helper()
	text, err := b.Hosts.Run(t.Context(), "host1", append([]string{"rados", "-p", ceph.Pool}, words...)...)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// objects are those of all namespaces.
func (b bed) objects(t *testing.T) []string {
	t.Helper()
	all := strings.Fields(b.rados(t, "ls", "--all"))
	slices.Sort(all)
	return all
}

func (b bed) reserve(t *testing.T, bytes int64) assay.Receipt {
	t.Helper()
	s := subject("narrow")
	r, err := New().Reserve(t.Context(), b.at, s, assay.Request{ID: id, Bytes: bytes})
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	return r
}

func (b bed) release(t *testing.T, r assay.Receipt) {
	t.Helper()
	for range 2 { // it is idempotent
		if err := New().Release(t.Context(), b.at, r); err != nil {
			t.Error(err, assay.Hint(err))
		}
	}
}

func TestOnACeph(t *testing.T) {
	l := cephtest.Up(t, ceph.Standard)
	at := ssh.New(assay.Host{Name: "host1"}, ssh.Options{Address: l.Hosts.Address("host1", hosts.Management), User: hosts.User, ConfigFile: l.Hosts.Config()})
	t.Cleanup(func() {
		if err := at.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := l.NewUser(t.Context(), "narrow", reading.SpaceCapabilities(ceph.Pool)...); err != nil {
		t.Fatal(err)
	}
	b := bed{l, at}
	// What others have in the pool, also under the names that rados bench gives.
	for _, words := range [][]string{{"put", "mine", "/etc/hostname"}, {"-N", "others", "put", "benchmark_data_host1_1_object0", "/etc/hostname"}} {
		b.rados(t, words...)
	}
	before := b.objects(t)
	for _, c := range []struct {
		name string
		do   func(*testing.T, bed)
	}{{"measured", measured}, {"killed", killed}, {"refused", refused}} {
		t.Run(c.name, func(t *testing.T) {
			c.do(t, b)
			if after := b.objects(t); !slices.Equal(after, before) {
				t.Errorf("there is\n%q\nbefore there was\n%q", after, before)
			}
		})
	}
}

// trial is rados bench as a suite has it.
func trial(t *testing.T, op string) assay.Trial {
	t.Helper()
	inv := assay.Inventory{Subjects: []assay.Subject{subject("narrow")}}
	all, err := rados.New().Trials(inv, assay.Case{Probe: "rados", Name: op, On: assay.KindPool, Seconds: 1, Set: map[string]string{"op": op, "bs": "64k"}})
	if err != nil || len(all) != 1 || all[0].Volume != Kind {
		t.Fatal(all, err)
	}
	return all[0]
}

// measured: writes and reads in a namespace give figures, and only its objects go.
func measured(t *testing.T, b bed) {
	r := b.reserve(t, 256<<20)
	defer b.release(t, r)
	s, err := New().Lend(t.Context(), b.at, r)
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
	if _, err := New().Lend(t.Context(), b.at, r); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("lent again: %v", err)
	}
}

// killed: what a bench left that nobody ended is removed.
func killed(t *testing.T, b bed) {
	r := b.reserve(t, 64<<20)
	s, err := New().Lend(t.Context(), b.at, r)
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

// refused: a key that reaches no namespace, and a pool that is not there.
func refused(t *testing.T, b bed) {
	if err := b.NewUser(t.Context(), "reader", "mon", "allow r", "mgr", "allow r"); err != nil {
		t.Fatal(err)
	}
	s := subject("reader")
	r, err := New().Reserve(t.Context(), b.at, s, assay.Request{ID: id, Bytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New().Lend(t.Context(), b.at, r); !errors.Is(err, reading.ErrDenied) || !strings.Contains(assay.Hint(err), "namespace=assay-*") {
		t.Errorf("a narrow key: %v (%s)", err, assay.Hint(err))
	}
	s = subject("narrow")
	s.Params["pool"] = "nowhere"
	if r, err = New().Reserve(t.Context(), b.at, s, assay.Request{ID: id, Bytes: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	if _, err := New().Lend(t.Context(), b.at, r); !errors.Is(err, assay.ErrNotFound) || !strings.Contains(assay.Hint(err), ceph.Pool) {
		t.Errorf("no pool: %v (%s)", err, assay.Hint(err))
	}
	b.release(t, r)
}
