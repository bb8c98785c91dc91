package matrix

import (
	"reflect"
	"slices"
	"testing"
)

func TestDrawIsTheSameForASeed(t *testing.T) {
	all, n := kinds(t), Amount{Pairs: 3, Controls: 4}
	one := Draw(1, 1, all, Hosts, n)
	if !reflect.DeepEqual(one, Draw(1, 1, all, Hosts, n)) {
		t.Error("drawn twice, the cases differ")
	}
	for _, other := range [][]Case{Draw(2, 1, all, Hosts, n), Draw(1, 2, all, Hosts, n)} {
		if reflect.DeepEqual(one, other) {
			t.Error("another seed or round draws the same")
		}
	}
}

func TestDrawPlacesEachKindAlone(t *testing.T) {
	all := kinds(t)
	cases := Draw(1, 1, all, Hosts, Amount{Pairs: 3, Controls: 4})
	alone, ids, size := map[string]int{}, map[string]bool{}, map[int]int{}
	for _, c := range cases {
		size[len(c.Faults)]++
		ids[c.ID] = true
		for _, p := range c.Faults {
			k, err := Named(all, p.Kind)
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Faults) == 1 {
				alone[p.Kind]++
			}
			if (len(k.Ways) > 0) != slices.Contains(k.Ways, p.Way) || (k.Of == "path" || k.Peer != "") != (p.Peer != "") || p.Peer == p.Host {
				t.Errorf("%+v is no %s", p, k.Name)
			}
		}
		if len(c.Faults) == 2 && (c.Faults[0].Host == c.Faults[1].Host || c.Faults[0].Kind == c.Faults[1].Kind) {
			t.Errorf("%+v are on one host, or of one kind", c.Faults)
		}
	}
	if len(ids) != len(cases) || size[0] != 4 || size[2] != 3 || len(alone) != len(all) {
		t.Errorf("%d ids of %d cases; %v; %d kinds alone", len(ids), len(cases), size, len(alone))
	}
}
