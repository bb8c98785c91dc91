package linstor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
	"assay/volume"
	"assay/volume/volumetest"
)

func subject(params map[string]string) assay.Subject {
	return assay.Subject{ID: "one/block/linstor", Kind: assay.KindBlock, Host: "one", Name: "linstor", Tier: "vms", Volume: Kind, Params: params}
}

var (
	inPool  = map[string]string{paramPool: "data", paramReplicas: "2"}
	inGroup = map[string]string{paramGroup: "vms"}
)

func TestConformance(t *testing.T) {
	for name, params := range map[string]map[string]string{"pool": inPool, "group": inGroup} {
		t.Run(name, func(t *testing.T) {
			volumetest.Test(t, func(*testing.T) volumetest.Fixture {
				s := newStandIn()
				return volumetest.Fixture{Volume: New(), Place: s, Subject: subject(params),
					Present: func(_ *testing.T, r assay.Receipt) bool { return s.resources[r.Names[roleResource]] != nil }}
			})
		})
	}
}

const id = "0123456789abcdef"

func reserve(t *testing.T, s *standIn, params map[string]string) assay.Receipt {
	t.Helper()
	r, err := New().Reserve(t.Context(), s, subject(params), assay.Request{ID: id, Bytes: 64<<20 + 1})
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	return r
}

// A resource is lent once it is in sync, and its deletion is retried while a node is too busy.
func TestWaits(t *testing.T) {
	s := newStandIn()
	s.slow, s.busy = 1, 1
	r := reserve(t, s, inPool)
	if got, err := New().Lend(t.Context(), s, r); err != nil || got.File != "/dev/drbd1000" || s.slow != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := New().Release(t.Context(), s, r); err != nil || s.busy != 0 || fmt.Sprint(s.resources) != "map[vm-100:map[pve1:false]]" {
		t.Errorf("%v, %v", s.resources, err)
	}
}

// Whatever command a run is killed after, the next Release leaves nothing.
func TestKilledAtEachStage(t *testing.T) {
	for stage := range 20 {
		s := newStandIn()
		r := reserve(t, s, inPool)
		dead, kill := context.WithCancel(t.Context())
		done := 0
		s.after = func() {
			if done++; done > stage {
				kill()
			}
		}
		_, err := New().Lend(dead, s, r)
		if err == nil {
			err = New().Release(dead, s, r)
		}
		kill()
		s.after = nil
		if again := New().Release(t.Context(), s, r); again != nil || fmt.Sprint(s.resources) != "map[vm-100:map[pve1:false]]" {
			t.Errorf("killed after %d commands: %v, %v", stage+1, s.resources, again)
		}
		if err == nil {
			if stage < 5 {
				t.Errorf("after %d commands nothing was killed", stage)
			}
			return
		}
	}
	t.Error("it was killed at each of 20 stages: there are more")
}

func TestRefused(t *testing.T) {
	s := newStandIn()
	s.full = true
	if _, err := New().Lend(t.Context(), s, reserve(t, s, inPool)); err == nil || !strings.Contains(err.Error(), "Not enough available nodes") || !strings.Contains(assay.Hint(err), "storage-pool list") {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
	s = newStandIn()
	s.slow = 1 << 20
	if _, err := (Volume{}).Lend(t.Context(), s, reserve(t, s, inPool)); !errors.Is(err, assay.ErrTimeout) || !strings.Contains(err.Error(), "it is Inconsistent") {
		t.Error(err)
	}
	for name, forge := range map[string]func(*assay.Receipt){
		"another resource": func(r *assay.Receipt) { r.Names[roleResource] = "vm-100" },
		"another volume":   func(r *assay.Receipt) { r.Volume = "drbd" },
		"a node":           func(r *assay.Receipt) { r.Names[roleHow] = strings.Replace(r.Names[roleHow], "pve1", "--force", 1) },
		"a pool":           func(r *assay.Receipt) { r.Names[roleHow] = strings.Replace(r.Names[roleHow], "data", "-x", 1) },
	} {
		r := reserve(t, newStandIn(), inPool)
		forge(&r)
		if err := New().Release(t.Context(), newStandIn(), r); err == nil {
			t.Errorf("%s: released", name)
		}
	}
}

// The facts show the device to be lent on top of its replica's storage, with how it is
// replicated.
func TestLearn(t *testing.T) {
	for words, c := range map[string]struct {
		storage Storage
		bytes   int64
		stack   assay.StackFacts
		note    string
		on      string
	}{
		"pool":     {Storage{StoragePool: "data"}, 512 << 20, assay.StackFacts{Copies: 2, Remote: 1, Protocol: "C"}, "LINSTOR places 2 replicas on pve1 and pve2, one of them on pve1", "[sda3]"},
		"one":      {Storage{StoragePool: "data", Replicas: 1}, 2 << 30, assay.StackFacts{Copies: 1, Protocol: "C"}, "places 1 replica, on pve1, which measures", "[sda3]"},
		"diskless": {Storage{StoragePool: "data", Replicas: 1, Diskless: true}, 512 << 20, assay.StackFacts{Copies: 1, Remote: 1, Protocol: "C"}, "on pve2, none on pve1", "[]"},
		"group":    {Storage{ResourceGroup: "vms"}, 512 << 20, assay.StackFacts{Copies: 2, Remote: 1, Protocol: "A"}, "(protocol A)", "[sda3]"},
	} {
		f := assay.Facts{Block: []assay.BlockDevice{{Name: "sda3", Path: "/dev/sda3"}}, NICs: []assay.NICFacts{{Name: "eno2", Speed: 10e9, MTU: 9000}}}
		notes, err := c.storage.Learn(t.Context(), newStandIn(), &f)
		d := f.DeviceAt(c.storage.Path())
		if err != nil || d == nil || d.Stack == nil || d.Bytes != c.bytes || fmt.Sprint(d.On) != c.on {
			t.Errorf("%s: %v, %+v", words, err, f.Block)
			continue
		}
		s := d.Stack
		if s.Kind != "drbd" || s.Copies != c.stack.Copies || s.Remote != c.stack.Remote || s.Protocol != c.stack.Protocol || s.Version != "9.2.4" || f.Stack == nil {
			t.Errorf("%s: %+v", words, s)
		}
		if len(notes) == 0 || !strings.Contains(notes[0].Text, c.note) {
			t.Errorf("%s: %v", words, notes)
		}
		if s.Remote > 0 && (s.ClusterNIC != "eno2" || s.Disks[len(s.Disks)-1].Copies != "10.99.0.2" || !strings.Contains(notes[1].Text, "to 10.99.0.2 over eno2 (10 Gb/s, MTU 9000)")) {
			t.Errorf("%s: %+v, %v", words, s, notes)
		}
	}
	if _, err := (&Storage{StoragePool: "other"}).Learn(t.Context(), newStandIn(), new(assay.Facts)); !errors.Is(err, assay.ErrNotFound) || assay.Hint(err) == "" {
		t.Error(err)
	}
	if _, err := (&Storage{ResourceGroup: "other"}).Learn(t.Context(), newStandIn(), new(assay.Facts)); err == nil {
		t.Error("an unknown resource group")
	}
}

// Storage with one replica is the layer below the same storage with two.
func TestOneReplicaIsBelow(t *testing.T) {
	two, one, away := &Storage{StoragePool: "data"}, &Storage{StoragePool: "data", Replicas: 1}, &Storage{StoragePool: "data", Diskless: true}
	s, err := two.Subject(volume.Client{Host: "pve1"})
	if err != nil || fmt.Sprint(s.On) != "[pve1/block/"+one.Path()+"]" {
		t.Errorf("%+v, %v", s, err)
	}
	for _, other := range []*Storage{one, away} {
		if s, err := other.Subject(volume.Client{Host: "pve1"}); err != nil || len(s.On) > 0 {
			t.Errorf("%+v, %v", s, err)
		}
	}
}

// After the run, the notes say where the replicas were, what is odd, and what happened to
// them.
func TestRecheck(t *testing.T) {
	s := newStandIn()
	s.show = strings.ReplaceAll(string(shown(t)), "minor 1176", "minor 1000")
	r := reserve(t, s, inPool)
	if _, err := New().Lend(t.Context(), s, r); err != nil {
		t.Fatal(err)
	}
	notes, err := New().Recheck(t.Context(), s, r)
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0].Text, "its replicas were on pve1 and pve2") && !strings.Contains(notes[0].Text, "its replicas were on pve2 and pve1") {
		t.Errorf("%v, %v", notes, err)
	}
	s.resources[prefix+id]["pve3"] = true
	s.show = strings.Replace(s.show, "quorum                  majority", "quorum off", 1)
	s.slow = 1
	notes, err = New().Recheck(t.Context(), s, r)
	if said := fmt.Sprint(notes); err != nil || !strings.Contains(said, "none on pve3") || !strings.Contains(said, "drbd-quorum") || !strings.Contains(said, "it is Inconsistent") {
		t.Errorf("%v, %v", notes, err)
	}
	s.show = ""
	if notes, err := New().Recheck(t.Context(), s, r); err == nil || len(notes) == 0 {
		t.Errorf("%v, %v", notes, err)
	}
}

func shown(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile("../../stacks/drbd/testdata/show-9-linstor.txt")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// learned reads a capture kept by ingest/facts/linstor.
func learned(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../ingest/facts/linstor/testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestReaders(t *testing.T) {
	nodes, err := readNodes(learned(t, "node-list.json"))
	if err != nil || fmt.Sprint(nodes) != "[{onenode-prg-01 onenode-prg-01 ONLINE 10.249.252.10 false} {onenode-prg-02  OFFLINE 10.249.252.11 false}]" {
		t.Errorf("%v, %v", nodes, err)
	}
	all, err := readResources(learned(t, "resource-list.json"), "one-vm-140-disk-2")
	if err != nil || fmt.Sprint(all) != "[{m1c4 /dev/drbd1076 UpToDate 1073741824 false} {m1c5  UpToDate 0 false} {m1c10  TieBreaker 0 true}]" || !all[2].ready() {
		t.Errorf("%v, %v", all, err)
	}
	pools, err := readPools([]byte(captured.Text(t, "storage-pool-list.json")))
	if err != nil || fmt.Sprint(pools) != "[{nvme-pool xxx-eu1 volume_group vg-nvme 0 0} {data worker-0 dataset tank/data 1024000 2048000}]" {
		t.Errorf("%v, %v", pools, err)
	}
	g, err := readGroup([]byte(captured.Text(t, "resource-group-list.json")), "Test")
	if err != nil || fmt.Sprint(g) != "{2 [thindata]  true}" {
		t.Errorf("%v, %v", g, err)
	}
	if err := readAnswer([]byte(captured.Text(t, "answer-failed.json"))); err == nil || !strings.Contains(err.Error(), "Failed to create lvm volume") {
		t.Error(err)
	}
	for _, fine := range []string{"", "[]", `[{"ret_code":4611686018461990912,"message":"x"}]`, `[{"ret_code":-9223372036819189758,"message":"a warning"}]`} {
		if err := readAnswer([]byte(fine)); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
	for _, bad := range []string{"", "{", "[]", "[[]]"} {
		if n, err := readNodes([]byte(bad)); err == nil {
			t.Errorf("%q: %v", bad, n)
		}
		if n, err := readPools([]byte(bad)); err == nil {
			t.Errorf("%q: %v", bad, n)
		}
		if g, err := readGroup([]byte(bad), ""); err == nil {
			t.Errorf("%q: %v", bad, g)
		}
	}
}

func TestStorage(t *testing.T) {
	for words, s := range map[string]Storage{
		"one of resource_group":     {},
		"resource_group: not":       {ResourceGroup: "-x"},
		"storage_pool: not":         {StoragePool: "a b"},
		"the resource group says":   {ResourceGroup: "vms", Replicas: 2},
		"9 is not from 1 to 8":      {StoragePool: "data", Replicas: 9},
		"not addresses with commas": {StoragePool: "data", Controllers: "--help"},
	} {
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%+v: %v, want %q", s, err, words)
		}
	}
	s := Storage{StoragePool: "data", Diskless: true, Controllers: "10.0.0.1,10.0.0.2:3370"}
	subject, err := s.Subject(volume.Client{Host: "one"})
	if s.Validate() != nil || err != nil || subject.Name != "linstor data x2 diskless" || subject.Params[paramReplicas] != "2" {
		t.Errorf("%v, %+v, %v", s.Validate(), subject, err)
	}
}

func FuzzReaders(f *testing.F) {
	for _, name := range []string{"node-list.json", "resource-list.json"} {
		f.Add(learned(f, name))
	}
	for _, name := range []string{"answer-failed.json", "storage-pool-list.json", "resource-group-list.json"} {
		f.Add([]byte(captured.Text(f, name)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_ = readAnswer(text)
		if n, err := readNodes(text); err == nil && len(n) == 0 {
			t.Error("no node and no error")
		}
		_, _ = readResources(text, "r")
		_, _ = readDefinitions(text)
		pools, err := readPools(text)
		for _, p := range pools {
			if p.free < 0 || err != nil {
				t.Errorf("%+v, %v", p, err)
			}
		}
		if g, err := readGroup(text, "test"); err == nil && (g.replicas < 0 || g.replicas > mostReplicas) {
			t.Errorf("%+v", g)
		}
	})
}
