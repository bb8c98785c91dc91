package zfs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"assay"
	"assay/internal/yamldoc"
	"assay/volume"
	"assay/volume/volumetest"
)

const id = "0123456789abcdef"

func TestConformance(t *testing.T) {
	for name, flags := range map[string][]string{"new": nil, "existing": {paramExisting}} {
		t.Run(name, func(t *testing.T) {
			volumetest.Test(t, func(t *testing.T) volumetest.Fixture {
				s := newStandIn(t)
				return volumetest.Fixture{
					Volume: New(), Place: s, Subject: s.subject(nil, flags...),
					Present: func(t *testing.T, r assay.Receipt) bool {
						_, err := os.Lstat(inside(r, "", s.mount("tank/vms")).Names["dir"])
						return err == nil || s.sets["tank/vms/assay-"+r.ID] != nil
					},
					Ways: []assay.Way{{"sync": "disabled"}, {"recordsize": "8k", "compression": "off"}},
					Property: func(t *testing.T, p assay.Property) string {
						return s.sets[p.Of][p.Name]
					},
				}
			})
		})
	}
}

func reserve(t *testing.T, s *standIn, subject assay.Subject, way assay.Way) assay.Receipt {
	t.Helper()
	r, err := New().Reserve(t.Context(), s, subject, assay.Request{ID: id, Bytes: 128 << 20, Way: way})
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	return r
}

func lend(t *testing.T, s *standIn, r assay.Receipt) assay.Scratch {
	t.Helper()
	got, err := New().Lend(t.Context(), s, r)
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	return got
}

func release(t *testing.T, s *standIn, r assay.Receipt) {
	t.Helper()
	if err := New().Release(t.Context(), s, r); err != nil {
		t.Error(err, assay.Hint(err))
	}
}

// The new dataset has the tier's settings and those of the way, which take
// precedence.
func TestSettings(t *testing.T) {
	s := newStandIn(t)
	r := reserve(t, s, s.subject(map[string]string{"sync": "always", "recordsize": "64K"}), assay.Way{"sync": "disabled"})
	lend(t, s, r)
	got := s.sets["tank/vms/assay-"+id]
	if got["sync"] != "disabled" || got["recordsize"] != "65536" || got[propertyScratch] != id || got["compression"] != "" {
		t.Errorf("%v", got)
	}
	release(t, s, r)
	for name, bad := range map[string]string{"sync": "sometimes", "recordsize": "100", "compression": "-r", "volblocksize": "16K", "primarycache": "", "mountpoint": "/etc"} {
		if r, err := New().Reserve(t.Context(), s, s.subject(nil), assay.Request{ID: id, Bytes: 1, Way: assay.Way{name: bad}}); err == nil {
			t.Errorf("%s=%s is lent: %+v", name, bad, r)
		}
	}
}

// killed is a place that does nothing once its program is dead.
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

// Whatever command a run is killed after, in Lend or in Release, the next Release
// leaves the dataset as it was.
func TestKilledAtEachStage(t *testing.T) {
	for _, flags := range [][]string{nil, {paramExisting}} {
		for stage := range 40 {
			s := newStandIn(t)
			s.sets["tank/vms"]["sync"] = "always"
			before := fmt.Sprint(s.sets)
			r := reserve(t, s, s.subject(map[string]string{"sync": "disabled", "recordsize": "4k"}, flags...), nil)
			dead, kill := context.WithCancel(t.Context())
			done := 0
			s.after = func(string) {
				if done++; done > stage {
					kill()
				}
			}
			at := killed{s, dead}
			_, err := New().Lend(dead, at, r)
			if err == nil {
				err = New().Release(dead, at, r)
			}
			kill()
			s.after = nil
			release(t, s, r)
			if got := fmt.Sprint(s.sets); got != before {
				t.Errorf("%v, killed after %d commands: %s, was %s", flags, stage+1, got, before)
			}
			if entries, _ := os.ReadDir(s.mount("tank/vms")); len(entries) > 0 {
				t.Errorf("%v, killed after %d commands: %v is left", flags, stage+1, entries)
			}
			if err == nil {
				if stage < 5 {
					t.Errorf("%v: nothing was killed", flags)
				}
				break
			}
		}
	}
}

// A setting changed by somebody else meanwhile is left alone.
func TestChangedMeanwhile(t *testing.T) {
	s := newStandIn(t)
	r := reserve(t, s, s.subject(map[string]string{"sync": "disabled", "logbias": "throughput"}, paramExisting), nil)
	lend(t, s, r)
	s.sets["tank/vms"]["sync"] = "always"
	release(t, s, r)
	if got := fmt.Sprint(s.sets["tank/vms"]); got != "map[recordsize:16384 sync:always]" {
		t.Error(got)
	}
}

// ZFS prints a compression at its default level without the level. That is still what
// the run set, and is restored; another level is somebody else's.
func TestCompressionAtDefaultLevel(t *testing.T) {
	for _, c := range []struct{ set, meanwhile, after string }{
		{set: "gzip-6"}, {set: "gzip"}, {set: "zstd-3"}, {set: "zstd"}, {set: "zstd-fast-1"}, {set: "gzip-3"}, {set: "on"},
		{"gzip-3", "gzip", "gzip"}, {"gzip", "gzip-3", "gzip-3"}, {"zstd-fast", "zstd-fast-3", "zstd-fast-3"}, {"zstd", "zstd-fast", "zstd-fast"},
	} {
		s := newStandIn(t)
		r := reserve(t, s, s.subject(map[string]string{"compression": c.set}, paramExisting), nil)
		lend(t, s, r)
		if c.meanwhile != "" {
			s.sets["tank/vms"]["compression"] = c.meanwhile
		}
		notes, err := New().Recheck(t.Context(), s, r)
		if err != nil {
			t.Fatal(err)
		}
		if changed := len(notes) > 0; changed != (c.meanwhile != "") {
			t.Errorf("%+v: notes %v", c, notes)
		}
		release(t, s, r)
		if got := s.sets["tank/vms"]["compression"]; got != c.after {
			t.Errorf("%+v: compression is left at %q", c, got)
		}
	}
}

// What others set during the run, and a scrub during it, are reported; what the run
// itself set is not.
func TestRecheck(t *testing.T) {
	recheck := func(t *testing.T, s *standIn, r assay.Receipt) string {
		t.Helper()
		notes, err := New().Recheck(t.Context(), s, r)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(notes)
	}
	for _, flags := range [][]string{nil, {paramZvol}, {paramExisting}} {
		for name, c := range map[string]struct {
			change func(s *standIn, lent string)
			want   []string
		}{
			"nothing":        {func(*standIn, string) {}, nil},
			"what we set":    {func(s *standIn, lent string) { s.sets[lent]["sync"] = "always" }, []string{"sync of ", "from disabled to always", "measure again"}},
			"inherited":      {func(s *standIn, _ string) { s.sets["tank/vms"]["primarycache"] = "none" }, []string{"primarycache of ", "from all to none"}},
			"a scrub began":  {func(s *standIn, _ string) { s.scan = "scrub in progress since Tue Nov 24 23:00:00 2026" }, []string{"a scrub is running"}},
			"a scrub ran":    {func(s *standIn, _ string) { s.scan = "scrub repaired 0B in 00:00:01 with 0 errors" }, []string{"scrub repaired 0B in 00:00:01"}},
			"a drive failed": {func(s *standIn, _ string) { s.health = "DEGRADED" }, []string{"it is DEGRADED"}},
			"others write":   {func(s *standIn, _ string) { s.free -= 4 << 30 }, nil},
			"others fill it": {func(s *standIn, _ string) { s.free = 1 << 20 }, []string{"filled up during the run: 10.7 GB was available before, 1.05 MB after"}},
			"it hangs":       {func(s *standIn, _ string) { s.health = "SUSPENDED" }, []string{"it is suspended"}},
		} {
			t.Run(fmt.Sprint(flags, " ", name), func(t *testing.T) {
				s := newStandIn(t)
				r := reserve(t, s, s.subject(map[string]string{"sync": "disabled"}, flags...), nil)
				dataset := r.Names[roleDataset]
				if len(flags) > 0 && flags[0] == paramZvol {
					s.sets[dataset] = map[string]string{"sync": "disabled"} // no device appears here
				} else {
					lend(t, s, r)
				}
				c.change(s, dataset)
				got := recheck(t, s, r)
				if (got == "[]") != (c.want == nil) {
					t.Error(got)
				}
				for _, words := range c.want {
					if !strings.Contains(got, words) {
						t.Errorf("%s does not say %q", got, words)
					}
				}
			})
		}
	}
}

// An existing dataset is lent in one way at a time: a second lending would note the
// first's settings as those to restore.
func TestOneWayAtATime(t *testing.T) {
	s := newStandIn(t)
	first := reserve(t, s, s.subject(nil, paramExisting), assay.Way{"sync": "always"})
	second, err := New().Reserve(t.Context(), s, s.subject(nil, paramExisting), assay.Request{ID: "fedcba9876543210", Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	lend(t, s, first)
	if _, err := New().Reserve(t.Context(), s, s.subject(nil, paramExisting), assay.Request{ID: "aaaaaaaaaaaaaaaa", Bytes: 1 << 20}); !errors.Is(err, assay.ErrBusy) || assay.Hint(err) == "" {
		t.Errorf("reserved: %v", err)
	}
	if _, err := New().Lend(t.Context(), s, second); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("lent: %v", err)
	}
	release(t, s, second)
	if s.sets["tank/vms"]["sync"] != "always" {
		t.Error("what was never lent has restored another's setting")
	}
	release(t, s, first)
}

// An exported pool is an error with the command to import it; a renamed one is found.
func TestExportedAndRenamed(t *testing.T) {
	for _, flags := range [][]string{nil, {paramExisting}} {
		s := newStandIn(t)
		r := reserve(t, s, s.subject(map[string]string{"sync": "disabled"}, flags...), nil)
		lend(t, s, r)
		s.exported = true
		if err := New().Release(t.Context(), s, r); err == nil || !strings.Contains(assay.Hint(err), "zpool import "+s.guid) {
			t.Errorf("exported: %v (%s)", err, assay.Hint(err))
		}
		s.exported = false
		s.pool = "store"
		for name, set := range maps.Clone(s.sets) {
			delete(s.sets, name)
			s.sets["store"+strings.TrimPrefix(name, "tank")] = set
		}
		if err := os.Rename(s.root+"/tank", s.root+"/store"); err != nil {
			t.Fatal(err)
		}
		release(t, s, r)
		if got := fmt.Sprint(s.sets); got != "map[store:map[] store/vms:map[recordsize:16384]]" {
			t.Errorf("%v: %s", flags, got)
		}
	}
}

// A pool whose figures would mean little is refused unless wanted; a suspended one
// is always refused.
func TestHealth(t *testing.T) {
	for _, c := range []struct {
		health, scan, words string
		despite             bool
	}{
		{"ONLINE", "scrub repaired 0B in 00:00:01 with 0 errors", "", false},
		{"DEGRADED", "none requested", "it is DEGRADED", false},
		{"ONLINE", "scrub in progress since Tue Nov 24 23:00:00 2026", "a scrub is running", false},
		{"DEGRADED", "resilver in progress since Tue Nov 24 23:00:00 2026", "", true},
		{"SUSPENDED", "none requested", "suspended", true},
	} {
		s := newStandIn(t)
		s.health, s.scan = c.health, c.scan
		flags := []string{paramDespite}
		if !c.despite {
			flags = nil
		}
		r := reserve(t, s, s.subject(nil, flags...), nil)
		_, err := New().Lend(t.Context(), s, r)
		if c.words == "" && err != nil || c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words) || assay.Hint(err) == "") {
			t.Errorf("%+v: %v (%s)", c, err, assay.Hint(err))
		}
	}
}

func TestRoom(t *testing.T) {
	s := newStandIn(t)
	s.free = 100 << 20
	if got := lend(t, s, reserve(t, s, s.subject(nil), nil)); got.Bytes > 91<<20 || got.Bytes < Least {
		t.Errorf("of 100 MiB it lends %d", got.Bytes)
	}
	s = newStandIn(t)
	s.free = 50 << 20
	_, err := New().Lend(t.Context(), s, reserve(t, s, s.subject(nil), nil))
	if !errors.Is(err, assay.ErrNoSpace) || s.has("zfs create") {
		t.Errorf("%v", err)
	}
}

// A dataset without the receipt's id is not destroyed, and one that is briefly busy is
// retried.
func TestDestroy(t *testing.T) {
	s := newStandIn(t)
	r := reserve(t, s, s.subject(nil), nil)
	lend(t, s, r)
	s.busy = 2
	release(t, s, r)
	for _, mark := range []string{"", "ffffffffffffffff"} {
		s.sets["tank/vms/assay-"+id] = map[string]string{propertyScratch: mark}
		if err := New().Release(t.Context(), s, r); err == nil || s.sets["tank/vms/assay-"+id] == nil {
			t.Errorf("mark %q: %v", mark, err)
		}
	}
}

func TestForged(t *testing.T) {
	s := newStandIn(t)
	for name, forge := range map[string]func(*assay.Receipt){
		"another dataset": func(r *assay.Receipt) { r.Names[roleDataset] = "tank/home" },
		"an existing one": func(r *assay.Receipt) {
			r.Names[roleHow] = strings.Replace(r.Names[roleHow], "{", `{"existing":true,`, 1)
		},
		"a setting": func(r *assay.Receipt) {
			r.Restore = []assay.Property{{Of: "tank/vms", Name: "sync", Value: "disabled"}}
		},
		"another volume": func(r *assay.Receipt) { r.Volume = "dir" },
	} {
		r := reserve(t, s, s.subject(nil), nil)
		forge(&r)
		if err := New().Release(t.Context(), s, r); err == nil {
			t.Errorf("%s: released", name)
		}
	}
	for name, forge := range map[string]func(*assay.Receipt){
		"of another":       func(r *assay.Receipt) { r.Restore[0].Of = "tank" },
		"another property": func(r *assay.Receipt) { r.Restore[0].Name = "mountpoint" },
		"a value":          func(r *assay.Receipt) { r.Restore[1].Value = "--x" },
	} {
		r := reserve(t, s, s.subject(map[string]string{"sync": "always"}, paramExisting), nil)
		forge(&r)
		if err := New().Release(t.Context(), s, r); err == nil {
			t.Errorf("%s: released", name)
		}
	}
}

// Before the plan is made, the host's facts include the directory or device that will
// be lent.
func TestLearn(t *testing.T) {
	s := newStandIn(t)
	var f assay.Facts
	file := &Storage{Dataset: "tank/vms", Sync: "disabled"}
	notes, err := file.Learn(t.Context(), s, &f)
	if err != nil || len(notes) != 1 || notes[0].ID != "zfs-arc" {
		t.Errorf("%v, %v", notes, err)
	}
	d := f.Dir("tank/vms sync=disabled")
	if d == nil || d.FileSystem != "zfs" || d.Free != 10<<30 || !d.Writable {
		t.Fatalf("%+v", f.Dirs)
	}
	set := f.Pool(d.Dataset)
	if set == nil || set.Version != "2.1.11-1" || set.Properties["sync"] != "disabled" || set.Properties["recordsize"] != "16384" {
		t.Errorf("%+v", f.Pools)
	}
	if pool := f.Pool("tank"); pool == nil || pool.Properties["layout"] != "1 disk" || pool.Properties["arc_max"] != "536870912" {
		t.Errorf("%+v", pool)
	}
	s.sets["tank"]["sync"] = "disabled"
	for sync, want := range map[string]string{"": "zfs-sync zfs-arc ", "always": "zfs-arc ", "disabled": "zfs-arc "} {
		got := ""
		notes, err := (&Storage{Dataset: "tank/vms", Sync: yamldoc.Label(sync)}).Learn(t.Context(), s, &assay.Facts{})
		for _, n := range notes {
			got += n.ID + " "
		}
		if err != nil || got != want {
			t.Errorf("sync of the tier %q below a pool with sync=disabled: %q, %v", sync, got, err)
		}
	}
	zvol := &Storage{Dataset: "tank/vms", Zvol: true, DespiteHealth: true}
	s.scan = "scrub in progress since Tue Nov 24 23:00:00 2026"
	notes, err = zvol.Learn(t.Context(), s, &f)
	if dev := f.DeviceAt("tank/vms zvol"); err != nil || dev == nil || fmt.Sprint(dev.On) != "[/dev/null]" || notes[len(notes)-1].ID != "zfs-disturbed" {
		t.Errorf("%v, %v, %+v", notes, err, f.Block)
	}
}

func TestStorage(t *testing.T) {
	for words, s := range map[string]Storage{
		"dataset: missing":  {},
		"not a valid name":  {Dataset: "tank/$(reboot)"},
		"not overwritten":   {Dataset: "tank", Zvol: true, Existing: true},
		"has volblocksize":  {Dataset: "tank", Zvol: true, Recordsize: "16K"},
		"only a zvol":       {Dataset: "tank", Volblocksize: "16K"},
		"power of two":      {Dataset: "tank", Recordsize: "10K"},
		"from 512 to 128K":  {Dataset: "tank", Zvol: true, Volblocksize: "1M"},
		"none of standard":  {Dataset: "tank", Sync: "off"},
		"not a compression": {Dataset: "tank", Compression: "LZ 4"},
	} {
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%+v: %v, want %q", s, err, words)
		}
	}
	s := Storage{Dataset: "rpool/data", Zvol: true, Volblocksize: "16k", Sync: "always"}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	subject, err := s.Subject(volume.Client{})
	if err != nil || subject.Kind != assay.KindBlock || subject.Name != "rpool/data zvol sync=always volblocksize=16k" {
		t.Errorf("%+v, %v", subject, err)
	}
	if found := s.Check(t.Context(), volume.Clients{Hosts: []string{"pve1"}}); found.Err != nil || len(found.Unasked) != 1 {
		t.Errorf("%+v", found)
	}
	var _ yamldoc.Validator = &s
}
