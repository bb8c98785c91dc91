package analysis

import (
	"testing"

	"assay"
)

// cached returns a run of one drive that made this many synchronous writes per second
// as found, and this many with its write cache off.
func cached(dev assay.BlockDevice, on, off float64) assay.Run {
	dev.Name, dev.Path, dev.Kind = "sda", "/dev/sda", "disk"
	run := assay.Run{Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "pve1"}}, Facts: map[string]assay.Facts{"pve1": {Block: []assay.BlockDevice{dev}}}}}
	s := assay.Subject{ID: "pve1/block/x", Kind: assay.KindBlock, Host: "pve1", Name: "/dev/disk/by-id/x", Source: "/dev/sda", Volume: "device", Turns: true}
	for _, c := range []struct {
		name string
		way  assay.Way
		iops float64
	}{{"syncwrite", nil, on}, {"syncwrite+write_cache=off", assay.Way{"write_cache": "off"}, off}, {"randwrite", nil, 99e3}} {
		t := assay.Trial{ID: "fio/" + c.name, Probe: "fio", Case: c.name, Title: c.name, Subject: s, Lend: c.way, Repeats: 1, Settings: map[string]string{"sync": "1"}}
		labels := map[string]string{"bs": "4k", "sync": "1", "pattern": "write", "iodepth": "1", "jobs": "1", "direct": "1"}
		if c.way != nil {
			labels["lend.write_cache"] = "off"
		}
		run.Results = append(run.Results, assay.Result{Trial: t, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
			{Metric: "storage.write.iops", Value: c.iops, Unit: assay.PerSecond, Labels: labels},
		}}}})
	}
	return run
}

func effects(f Found) (all []Point) {
	for _, p := range append(append([]Point(nil), f.Verdict...), f.Further...) {
		if _, is := p.Says.(CacheEffect); is {
			all = append(all, p)
		}
	}
	return all
}

func TestWhatAWriteCacheBrings(t *testing.T) {
	yes := true
	plain := assay.BlockDevice{WriteCache: "write back", Bus: assay.BusSATA}
	protected, found, virtual := plain, plain, plain
	protected.PLP, found.WriteCache, virtual.Bus = &yes, "write through", assay.BusVirtio
	for name, c := range map[string]struct {
		dev     assay.BlockDevice
		on, off float64
		class   CacheClass
		tone    Tone
	}{
		"no difference":                 {plain, 330, 310, FlushesReach, Good},
		"faster, and slow all the same": {plain, 2900, 310, FlushesReach, Good},
		"faster than the media":         {plain, 40e3, 310, FlushesEnd, Bad},
		"the same, protected":           {protected, 40e3, 310, FlushesEnd, Note},
		"fast either way":               {plain, 40e3, 38e3, FlushesFree, Good},
		"faster without":                {plain, 1000, 2500, FlushesCost, Note},
		"a virtual disk":                {virtual, 2900, 310, CacheOfGuest, Note},
		"off when it was found":         {found, 310, 310, CacheWasOff, Note},
	} {
		got := effects(Of(cached(c.dev, c.on, c.off)))
		if len(got) != 1 {
			t.Fatalf("%s: %+v", name, got)
		}
		e := got[0].Says.(CacheEffect)
		if e.Class != c.class || got[0].Tone != c.tone || e.On.Value != c.on || e.Off.Value != c.off || e.Protected != (c.dev.PLP != nil) {
			t.Errorf("%s: %s, %+v", name, got[0].Tone, e)
		}
	}
}

// The figure with the cache off is not a second figure of the drive; alone it is
// compared with nothing, nor is one that was not measured.
func TestWriteCacheHasItsPair(t *testing.T) {
	run := cached(assay.BlockDevice{WriteCache: "write back"}, 2900, 310)
	writes := 0
	f := Of(run)
	for _, p := range append(append([]Point(nil), f.Verdict...), f.Further...) {
		if w, is := p.Says.(SyncWrites); is {
			if writes++; w.IOPS.Value == 310 {
				t.Error("the figure with the cache off is told as the drive's")
			}
		}
	}
	if writes == 0 {
		t.Error("the drive's figure is not told")
	}
	alone := run
	alone.Results = run.Results[1:2]
	if got := effects(Of(alone)); len(got) > 0 {
		t.Errorf("alone it gave %+v", got)
	}
	absent := run
	absent.Results = append([]assay.Result(nil), run.Results...)
	absent.Results[1].Repeats, absent.Results[1].Trial.Absent = nil, &assay.Absence{Word: assay.NotSupported, Why: "it has none"}
	if got := effects(Of(absent)); len(got) > 0 {
		t.Errorf("not measured it gave %+v", got)
	}
}
