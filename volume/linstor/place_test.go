package linstor

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"assay"
)

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
	without := maps.Clone(inPool)
	without[paramDiskless], without[paramReplicas] = "true", "1"
	for words, c := range map[string]struct {
		params map[string]string
		is     string // the pool on pve1 instead
		full   bool
	}{
		"of another name":          {inPool, `"other","node_name":"pve1"`, false},
		"where it is measured":     {inPool, `"data","node_name":"pve1"`, true},
		"measured without replica": {without, `"data","node_name":"pve1"`, false},
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
	elsewhere := maps.Clone(inPool)
	elsewhere[paramControllers] = "10.0.0.9"
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
