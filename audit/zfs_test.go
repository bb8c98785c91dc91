package audit

import (
	"testing"

	"assay"
)

// fromARC makes the ARC count this many reads in each repeat, and this many blocks from
// drives.
func fromARC(name string, reads, drive int64) func(*world) {
	return func(w *world) {
		w.watch(name, func(k *assay.Watch) {
			k.Before.ARC, k.After.ARC = &assay.ARCCounts{Reads: 500, Drive: 300}, &assay.ARCCounts{Reads: 500 + reads, Drive: 300 + drive}
		})
	}
}

func lentWith(name string, way assay.Way) func(*world) {
	return func(w *world) { w.at(name).Trial.Lend = way }
}

// zvol measures a zvol instead of a directory.
func zvol(name string, properties map[string]string) func(*world) {
	return func(w *world) {
		s := &w.at(name).Trial.Subject
		s.Kind, s.Name = assay.KindBlock, "tank zvol"
		w.facts.Pools = []assay.PoolFacts{{Kind: "zfs", Name: "tank zvol", Version: "2.1.11", Properties: properties}}
	}
}

// slog adds a log device to the pool.
func slog(drive assay.BlockDevice) func(*world) {
	return func(w *world) {
		w.facts.Block = append(w.facts.Block, drive)
		w.facts.Pools = append(w.facts.Pools, assay.PoolFacts{Kind: "zfs", Name: "tank", Properties: map[string]string{"slog": drive.Name}})
	}
}

// rotates puts the pool on a spinning disk.
func rotates(w *world) {
	w.facts.Dirs[0].Drives = []string{w.facts.Block[0].Name}
	w.facts.Block[0].Rotational, w.facts.Block[0].RPM, w.facts.Block[0].Bus = is(true), 7200, assay.BusSATA
}

func TestZFS(t *testing.T) {
	records := map[string]string{"recordsize": "131072", "sync": "standard"}
	check(t, []one{
		{"arc-reads", "all from memory", both(only("randread"), onZFS("2.2.4", nil), fromARC("randread", 52000, 1300)), "E", "52,000 blocks read, 1,300 from drives: 97.5 % from memory"},
		{"arc-reads", "a part", both(only("randread"), onZFS("2.2.4", nil), fromARC("randread", 1000, 900)), "W", "10.00 % from memory"},
		{"arc-reads", "hardly any", both(only("randread"), onZFS("2.2.4", nil), fromARC("randread", 1000, 960)), "", ""},
		{"arc-reads", "read ahead", both(only("randread"), onZFS("2.2.4", nil), fromARC("randread", 1000, 1200)), "", ""},
		{"arc-reads", "a zvol", both(only("randread"), zvol("randread", nil), fromARC("randread", 1000, 0)), "E", "100 % from memory"},
		{"arc-reads", "ext4", both(only("randread"), fromARC("randread", 1000, 0)), "", ""},
		{"arc-reads", "writes", both(only("syncwrite"), onZFS("2.2.4", nil), fromARC("syncwrite", 1000, 0)), "", ""},
		{"arc-reads", "not counted", both(only("randread"), onZFS("2.2.4", nil)), "-", "reads that the ARC served"},

		{"zfs-record", "4 KiB on 128 KiB", both(only("syncwrite"), onZFS("2.2.4", records)), "I", "writes of 4.00 KiB on records of 128 KiB: 32 x"},
		{"zfs-record", "lent with its own", both(only("syncwrite"), onZFS("2.2.4", records), lentWith("syncwrite", assay.Way{"recordsize": "4k"})), "", ""},
		{"zfs-record", "a zvol", both(only("syncwrite"), zvol("syncwrite", map[string]string{"volblocksize": "16384"})), "I", "volume blocks of 16.0 KiB: 4 x"},
		{"zfs-record", "sequential", both(only("seqwrite"), onZFS("2.2.4", map[string]string{"recordsize": "16M"})), "", ""},
		{"zfs-record", "not told", both(only("syncwrite"), onZFS("2.2.4", nil)), "-", "recordsize"},
		{"zfs-record", "ext4", only("syncwrite"), "", ""},

		{"flush-too-fast", "sync=disabled", both(only("syncwrite"), onZFS("2.2.4", map[string]string{"sync": "disabled"})), "W", "sync=disabled on ZFS"},
		{"flush-too-fast", "lent with sync=disabled", both(only("syncwrite"), onZFS("2.2.4", records), lentWith("syncwrite", assay.Way{"sync": "disabled"})), "W", "sync=disabled on ZFS"},
		{"flush-too-fast", "lent with sync=always", both(only("syncwrite"), onZFS("2.2.4", map[string]string{"sync": "disabled"}), lentWith("syncwrite", assay.Way{"sync": "always"}),
			slog(assay.BlockDevice{Name: "nvme9n1", Rotational: is(false), PLP: is(true)})), "", ""},
		{"flush-too-fast", "a spinning disk", both(only("syncwrite"), onZFS("2.2.4", records), rotates), "E", "7,200 / 60"},
		{"flush-too-fast", "a spinning disk with a log device", both(only("syncwrite"), onZFS("2.2.4", records), rotates,
			slog(assay.BlockDevice{Name: "nvme9n1", Rotational: is(false), PLP: is(true)})), "", ""},
	})
}
