package linstor

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/volume"
)

// with returns the parameters with others.
func with(params map[string]string, more ...string) map[string]string {
	all := maps.Clone(params)
	for pair := range slices.Chunk(more, 2) {
		all[pair[0]] = pair[1]
	}
	return all
}

// The measuring node has a replica, or none, and there are as many as the facts say, whichever
// node LINSTOR prefers.
func TestPlaced(t *testing.T) {
	const here, away, few = "map[pve1:false pve2:false]", "map[pve1:true pve2:false pve3:false]", "map[pve1:false]"
	for words, c := range map[string]struct {
		want   string
		params map[string]string
	}{
		"in a pool":               {here, inPool},
		"three":                   {"map[pve1:false pve2:false pve3:false]", with(inPool, paramReplicas, "3")},
		"one":                     {few, with(inPool, paramReplicas, "1")},
		"no replica here":         {away, with(inPool, paramDiskless, "true")},
		"of a group":              {here, inGroup},
		"one of a group":          {few, with(inGroup, paramGroup, "single")},
		"with rules":              {here, with(inGroup, paramGroup, "racks")},
		"no replica of the group": {away, with(inGroup, paramDiskless, "true")},
	} {
		for _, preferred := range [][]string{{"pve1", "pve2", "pve3"}, {"pve2", "pve3", "pve1"}} {
			s := newStandIn()
			s.pools, s.prefers = threePools, preferred
			r := reserve(t, s, c.params)
			got, err := (Volume{}).Lend(t.Context(), s, r)
			if err != nil || got.File != "/dev/drbd1000" || got.Bytes != 64<<20+1 || fmt.Sprint(s.resources[prefix+id]) != c.want {
				t.Errorf("%s, preferred %v: %+v, %v, %v", words, preferred, got, s.resources, err)
			}
			if !slices.ContainsFunc(s.asked, func(c string) bool { return strings.HasSuffix(c, prefix+id+" 65537KiB") }) {
				t.Errorf("of another size: %q", s.asked)
			}
			if err := New().Release(t.Context(), s, r); err != nil || fmt.Sprint(s.resources) != "map[vm-100:map[pve1:false]]" {
				t.Errorf("%v, %v", s.resources, err)
			}
		}
	}
}

// A node that LINSTOR cannot place on leaves the choice of nodes, and a group's rules for it, to
// LINSTOR.
func TestPlacedElsewhereAnyway(t *testing.T) {
	for _, params := range []map[string]string{with(inPool, paramDiskless, "true"), with(inGroup, paramGroup, "racks", paramDiskless, "true")} {
		for words, change := range map[string]func(*standIn){
			"no pool": func(s *standIn) {
				s.pools = strings.Replace(threePools, `"data","node_name":"pve1"`, `"data","node_name":"gone"`, 1)
			},
			"shunned": func(s *standIn) { s.shunned = "pve1" },
		} {
			s := newStandIn()
			s.pools = threePools
			change(s)
			if _, err := (Volume{}).Lend(t.Context(), s, reserve(t, s, params)); err != nil || fmt.Sprint(s.resources[prefix+id]) != "map[pve1:true pve2:false pve3:false]" {
				t.Errorf("%s: %v, %v", words, s.resources, err)
			}
			if !slices.ContainsFunc(s.asked, func(c string) bool { return strings.Contains(c, prefix+id+" --auto-place 2") }) {
				t.Errorf("%s: %q", words, s.asked)
			}
		}
	}
	s := newStandIn() // nothing but a pool that gets nothing
	s.shunned, s.pools = "pve1", strings.ReplaceAll(fewPools, "pve2", "gone")
	if _, err := (&Storage{StoragePool: "data", Diskless: true}).Learn(t.Context(), s, new(assay.Facts)); !errors.Is(err, assay.ErrNotFound) {
		t.Error(err)
	}
}

// Where assay chooses the nodes, it takes those with the most free, in one command for each name
// of a pool.
func TestChosen(t *testing.T) {
	s := newStandIn()
	s.pools = strings.Replace(threePools, `"data","node_name":"pve2"`, `"slow","node_name":"pve2"`, 1)
	if _, err := (Volume{}).Lend(t.Context(), s, reserve(t, s, with(inGroup, paramGroup, "plain", paramDiskless, "true"))); err != nil {
		t.Fatal(err)
	}
	var made []string
	for _, said := range s.asked {
		if strings.HasPrefix(said, "resource create ") {
			made = append(made, strings.TrimPrefix(said, "resource create "))
		}
	}
	name := prefix + id
	if got := strings.Join(made, "; "); got != "pve3 "+name+" --storage-pool data; pve2 "+name+" --storage-pool slow; pve1 "+name+" --drbd-diskless" {
		t.Error(got)
	}
	s = newStandIn()
	s.pools = threePools
	if _, err := (Volume{}).Lend(t.Context(), s, reserve(t, s, with(inPool, paramDiskless, "true"))); err != nil || !slices.Contains(s.asked, "resource create pve3 pve2 "+name+" --storage-pool data") {
		t.Errorf("%v, %q", err, s.asked)
	}
	s = newStandIn()
	s.pools = strings.ReplaceAll(threePools, `"pve3"`, `"--force"`)
	if _, err := (Volume{}).Lend(t.Context(), s, reserve(t, s, with(inPool, paramDiskless, "true"))); err == nil || !strings.Contains(err.Error(), "LINSTOR has 1") {
		t.Errorf("%v, %q", err, s.asked)
	}
}

// What cannot be placed as the tier says is refused before anything is made, also while facts are
// collected; what LINSTOR places otherwise is not measured.
func TestNotPlaced(t *testing.T) {
	for words, c := range map[string]struct {
		storage Storage
		pools   string
		hint    string
	}{
		"node pve1 of LINSTOR has no storage pool data":                     {Storage{StoragePool: "data"}, strings.Replace(threePools, `"data","node_name":"pve1"`, `"slow","node_name":"pve1"`, 1), "diskless"},
		"resource group racks has rules for which nodes get replicas":       {Storage{ResourceGroup: "racks", Diskless: true}, threePools, "storage_pool"},
		"2 replicas need as many nodes besides pve1 with storage pool data": {Storage{StoragePool: "data", Diskless: true}, fewPools, "replicas"},
	} {
		s := newStandIn()
		s.pools = c.pools
		if _, err := c.storage.Learn(t.Context(), s, new(assay.Facts)); err == nil || !strings.Contains(err.Error(), words) || !strings.Contains(assay.Hint(err), c.hint) {
			t.Errorf("%v (%s), want %q", err, assay.Hint(err), words)
		}
		made, err := c.storage.Subject(volume.Client{Host: "one"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New().Lend(t.Context(), s, reserve(t, s, made.Params)); err == nil || s.resources[prefix+id] != nil {
			t.Errorf("%s: lent: %v, %v", words, err, s.resources)
		}
	}
	s := newStandIn()
	s.pools, s.more = threePools, 1
	if _, err := (Volume{}).Lend(t.Context(), s, reserve(t, s, inGroup)); err == nil || !strings.Contains(err.Error(), "has 3 replicas instead of 2") {
		t.Error(err)
	}
}

// The sharers of a pool are together lent no more than leaves KeepFree of its capacity: each of
// them may have a replica in the fullest. Nothing is made where that is too little.
func TestRoom(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		words   string
		params  map[string]string
		want    int64
		sharers int
		lent    int64  // 0: refused
		refused string // why
	}{
		{"all that is asked for", inPool, 100 * mib, 3, 100 * mib, ""},
		{"what is left of pve2", inPool, 8 << 30, 1, 512 * mib, ""},
		{"a journal that did not count", inPool, 8 << 30, 0, 512 * mib, ""},
		{"a share", inPool, 8 << 30, 3, 170 * mib, ""},
		{"the group's pools", inGroup, 8 << 30, 4, 128 * mib, ""},
		{"too little for nine", inPool, 8 << 30, 9, 0, "pool data on node pve2 of LINSTOR has 1024 MiB free, of which assay leaves 512 MiB unused: 56 MiB for each of 9"},
		{"little is wanted", inPool, 50 * mib, 9, 50 * mib, ""},
	} {
		s := newStandIn()
		r, err := New().Reserve(t.Context(), s, subject(c.params), assay.Request{ID: id, Bytes: c.want, Sharers: c.sharers})
		if err != nil {
			t.Fatal(err)
		}
		got, err := New().Lend(t.Context(), s, r)
		if c.lent == 0 {
			if !errors.Is(err, assay.ErrNoSpace) || !strings.Contains(err.Error(), c.refused) || assay.Hint(err) == "" || s.resources[prefix+id] != nil {
				t.Errorf("%s: %v, %v", c.words, err, s.resources)
			}
			continue
		}
		made := fmt.Sprintf("%s%s %dKiB", prefix, id, c.lent>>10)
		if err != nil || got.Bytes != c.lent || !slices.ContainsFunc(s.asked, func(said string) bool { return strings.HasSuffix(said, made) }) {
			t.Errorf("%s: %+v, %v, %q", c.words, got, err, s.asked)
		}
	}
}

// Only the pools that a replica may be placed in count.
func TestRoomWhereReplicasMayBe(t *testing.T) {
	for words, c := range map[string]struct {
		params map[string]string
		is     string // the pool on pve1 instead
		full   bool
	}{
		"of another name":          {inPool, `"other","node_name":"pve1"`, false},
		"where it is measured":     {inPool, `"data","node_name":"pve1"`, true},
		"measured without replica": {with(inPool, paramDiskless, "true", paramReplicas, "1"), `"data","node_name":"pve1"`, false},
		"on a node that is gone":   {inPool, `"data","node_name":"gone"`, false},
		"on a node to be left out": {inPool, `"data","node_name":"retired"`, false},
	} {
		s := newStandIn()
		full := `{"storage_pool_name":` + c.is + `,"provider_kind":"LVM_THIN","free_capacity":1024,"total_capacity":41943040}`
		s.pools = strings.Replace(s.pools, "[[", "[["+full+",", 1)
		_, err := New().Lend(t.Context(), s, reserve(t, s, c.params))
		if errors.Is(err, assay.ErrNoSpace) != c.full || !c.full && err != nil {
			t.Errorf("%s: %v", words, err)
		}
	}
}

// Spaces of one cluster share its pools, whichever host or tier they are for.
func TestSharers(t *testing.T) {
	var v assay.Volume = New()
	sharer, is := v.(assay.Sharer)
	if !is {
		t.Fatal("not a Sharer")
	}
	elsewhere := with(inPool, paramControllers, "10.0.0.9")
	if one := sharer.Shares(subject(inPool)); one != sharer.Shares(subject(inGroup)) || one == sharer.Shares(subject(elsewhere)) {
		t.Error(one, sharer.Shares(subject(inGroup)), sharer.Shares(subject(elsewhere)))
	}
}

// What is odd is judged by the size that was lent and not by what was asked for: the activity log
// would be too small for that.
func TestRecheckOfALesserSpace(t *testing.T) {
	s := newStandIn()
	s.show = strings.NewReplacer("minor 1176", "minor 1000", "rs-discard-granularity  65536", "al-extents 1237").Replace(string(shown(t)))
	r, err := New().Reserve(t.Context(), s, subject(inPool), assay.Request{ID: id, Bytes: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New().Lend(t.Context(), s, r); err != nil {
		t.Fatal(err)
	}
	if notes, err := New().Recheck(t.Context(), s, r); err != nil || len(notes) != 1 {
		t.Errorf("%v, %v", notes, err)
	}
}
