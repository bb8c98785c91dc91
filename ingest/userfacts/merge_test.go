package userfacts

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay"
)

func TestMerge(t *testing.T) {
	base := given(t, "nic=10G,mtu=9000,pcie=gen3x4,model=PM9A1,stack=ceph,nodes=3,zfs.sync=standard,turbo=yes")
	base.NICs = append(base.NICs, assay.NICFacts{Name: "eth0", Speed: 1e9})
	base.Block = append(base.Block, assay.BlockDevice{Name: "sda"})
	got := Merge(base, given(t, "nic=25G,sata=6G,replicas=2,zfs.compression=off,turbo=no"))
	if n := got.NICs; len(n) != 2 || n[0].Name != NIC || n[0].Speed != 25e9 || n[0].MTU != 9000 || n[1].Name != "eth0" {
		t.Errorf("interfaces %+v", n)
	}
	if d := got.Device(Disk); d.Link.Kind != "sata" || d.Link.Lanes != 0 || d.Model != "PM9A1" || got.Device("sda") == nil {
		t.Errorf("drives %+v", got.Block)
	}
	if s := got.Stack; s.Kind != "ceph" || s.Nodes != 3 || s.Copies != 2 {
		t.Errorf("stack %+v", s)
	}
	if p := got.Pool(Dataset).Properties; p["sync"] != "standard" || p["compression"] != "off" {
		t.Errorf("properties %v", p)
	}
	if *got.CPU.Turbo || !*base.CPU.Turbo {
		t.Error("turbo: what over says does not win, or base was changed")
	}
}

// anyFacts draws some of the words' examples, in any order.
var anyFacts = rapid.Custom(func(t *rapid.T) assay.Facts {
	var f assay.Facts
	for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(words)-1), 0, 12).Draw(t, "words") {
		if err := Set(&f, words[i].Example); err != nil {
			t.Fatal(err)
		}
	}
	return f
})

func TestMergeKeepsWhatIsKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, g := anyFacts.Draw(t, "f"), anyFacts.Draw(t, "g")
		for name, got := range map[string]assay.Facts{"nothing over it": Merge(f, assay.Facts{}), "over nothing": Merge(assay.Facts{}, f), "over itself": Merge(f, f)} {
			if diff := cmp.Diff(f, got); diff != "" {
				t.Fatalf("%s changes it:\n%s", name, diff)
			}
		}
		once := Merge(f, g)
		if diff := cmp.Diff(once, Merge(once, g)); diff != "" {
			t.Fatalf("twice is not once:\n%s", diff)
		}
	})
}

// Modifying the result of Merge changes neither of its inputs.
func TestMergeSharesNothing(t *testing.T) {
	base, over := given(t, "pcie=gen3x4,zfs.sync=standard,dram=2xDDR4-2666"), given(t, "nic=10G,stack=ceph")
	got := Merge(base, over)
	got.Block[0].Link.Lanes = 1
	got.Pools[0].Properties["sync"] = "disabled"
	got.Memory.DIMMs[0].MTs = 1
	got.Dirs[0].Drives[0] = "sdb"
	got.NICs[0].Speed = 1
	got.Stack.Kind = "x"
	for text, f := range map[string]assay.Facts{"pcie=gen3x4,zfs.sync=standard,dram=2xDDR4-2666": base, "nic=10G,stack=ceph": over} {
		if diff := cmp.Diff(given(t, text), f); diff != "" {
			t.Error(diff)
		}
	}
}
