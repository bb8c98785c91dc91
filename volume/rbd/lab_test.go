package rbd

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/lab/ceph"
	"assay/lab/ceph/cephtest"
	"assay/lab/hosts"
	"assay/place/ssh"
	"assay/probe/fio"
	reading "assay/stacks/ceph"
)

// noModule is a host without the kernel module, with rbd's answer there.
type noModule struct{ assay.Place }

func (noModule) Host() assay.Host { return assay.Host{Name: "host1"} }

func (noModule) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{Exit: 2, Stderr: []byte("rbd: failed to load rbd kernel module (127)\nrbd: sysfs write failed\nrbd: map failed: (2) No such file or directory\n")}, nil
}

// bed is a Ceph and one of its hosts, with a key for images alone.
type bed struct {
	*ceph.Lab
	at assay.Place
}

// things lists all objects of the pool and all keys.
func (b bed) things(t *testing.T) string {
	t.Helper()
	objects, err := b.Hosts.Run(t.Context(), "host1", "rados", "-p", ceph.Pool, "ls")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := b.Ceph(t.Context(), "auth", "ls")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(objects, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n") + keys
}

func (b bed) reserve(t *testing.T, bytes int64, way assay.Way) assay.Receipt {
	t.Helper()
	r, err := New().Reserve(t.Context(), b.at, subject(), assay.Request{ID: id, Bytes: bytes, Way: way})
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
	b := bed{l, at}
	b.warm(t)
	before := b.things(t)
	for _, c := range []struct {
		name string
		do   func(*testing.T, bed)
	}{{"measured", measured}, {"cancelled", cancelled}, {"refused", refused}} {
		t.Run(c.name, func(t *testing.T) {
			c.do(t, b)
			if after := b.things(t); after != before {
				t.Errorf("something is left:\n%s\nbefore it was\n%s", after, before)
			}
		})
	}
}

// warm creates what the first image of any pool leaves for good: the pool's
// directory.
func (b bed) warm(t *testing.T) {
	t.Helper()
	r := b.reserve(t, 64<<20, nil)
	if _, err := New().Lend(t.Context(), b.at, r); err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	b.release(t, r)
}

// measured: an image is lent in each way that needs no kernel, fio fills and measures it
// through librbd, and its cache settings are known.
func measured(t *testing.T, b bed) {
	for cache, want := range map[string][2]string{"none": {"false", "writearound"}, "writeback": {"true", "writeback"}} {
		t.Run(cache, func(t *testing.T) { withCache(t, b, cache, want) })
	}
}

func withCache(t *testing.T, b bed, cache string, want [2]string) {
	r := b.reserve(t, 1<<40, assay.Way{"cache": cache})
	defer b.release(t, r)
	s, err := New().Lend(t.Context(), b.at, r)
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	if s.Image == nil || s.File != "" || s.Bytes < 512<<20 || s.Bytes > 1<<30 {
		t.Fatalf("of three OSDs of 4 GiB and three copies it lends %+v", s)
	}
	if set := s.Image.Settings; set["rbd_cache"] != want[0] || set["rbd_cache_policy"] != want[1] || set["rbd_cache_writethrough_until_flush"] != "false" {
		t.Errorf("cache=%s is set up as %v", cache, set)
	}
	if !slices.Contains(s.Image.Features, "layering") {
		t.Errorf("features %q", s.Image.Features)
	}
	if _, err := New().Lend(t.Context(), b.at, r); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("a second Lend took over what the first had made: %v", err)
	}
	s.Bytes = 64 << 20
	p := fio.New()
	trials, err := p.Trials(assay.Inventory{Subjects: []assay.Subject{subject()}, Facts: map[string]assay.Facts{"host1": {}}},
		assay.Case{Probe: "fio", Name: "randwrite", Title: "writes", On: assay.KindImage, Seconds: 1, Set: map[string]string{"rw": "randwrite", "iodepth": "4", "sync": "1"}})
	if err != nil || len(trials) != 1 || trials[0].Absent != nil {
		t.Fatalf("%+v, %v", trials, err)
	}
	bench := assay.Bench{Place: b.at, Scratch: s, Length: 0}
	tr, ready, err := p.(assay.Preparer).Prepare(t.Context(), trials[0], bench)
	if err != nil || ready.Bytes != 64<<20 {
		t.Fatalf("prepared %+v: %v\n%+v", ready, err, tr)
	}
	bench.Scratch, bench.Length = ready, trials[0].Length
	if tr, err = p.Run(t.Context(), trials[0], bench); err != nil {
		t.Fatal(err)
	}
	figures, err := p.Parse(tr)
	i := slices.IndexFunc(figures, func(m assay.Measurement) bool { return m.Metric == "storage.write.iops" })
	if err != nil || i < 0 || !(figures[i].Value > 0) {
		t.Fatalf("%v: %v\n%s", figures, err, tr.Steps[0].Output.Stderr)
	}
	if l := figures[i].Labels; l["engine"] != "rbd" || l["iodepth"] != "4" || l["fsync"] != "1" || l["jobs"] != "1" {
		t.Errorf("it is labelled %v", l)
	}
}

// cancelled: an image is removed if Lend was interrupted halfway.
func cancelled(t *testing.T, b bed) {
	r := b.reserve(t, 64<<20, assay.Way{"cache": "none"})
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := New().Lend(ctx, stopper{b.at, cancel}, r); !errors.Is(err, context.Canceled) {
		t.Errorf("it was cancelled: %v", err)
	}
	b.release(t, r)
}

// stopper is a place that calls stop once an image was created.
type stopper struct {
	assay.Place
	stop func()
}

func (s stopper) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	out, err := s.Place.Run(ctx, c)
	if slices.Contains(c.Argv, "create") {
		s.stop()
	}
	return out, err
}

// refused: the lab's kernel has no module, and a missing key is reported with the
// command that creates one.
func refused(t *testing.T, b bed) {
	r := b.reserve(t, 64<<20, assay.Way{"driver": "krbd"})
	if _, err := New().Lend(t.Context(), b.at, r); err == nil || !strings.Contains(assay.Hint(err), "driver=librbd") {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
	b.release(t, r)
	s := subject()
	s.Params["user"] = "nobody"
	unknown, err := New().Reserve(t.Context(), b.at, s, assay.Request{ID: id, Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New().Lend(t.Context(), b.at, unknown); !errors.Is(err, reading.ErrDenied) || !strings.Contains(assay.Hint(err), "profile rbd pool=vms") {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
}
