package main

import (
	"math"
	"testing"

	"assay"
	"assay/probe/fio"
	"assay/stats"
)

func TestStorageRows(t *testing.T) {
	var through, alone []reading
	for i := range 6 {
		// The machine drifts by half, the same for both paths.
		drift := 1 + .1*float64(i)
		through = append(through, reading{iops: 99e3 * drift, fioCPU: 2, ownCPU: .06, beside: .05})
		alone = append(alone, reading{iops: 100e3 * drift, fioCPU: 2, ownCPU: .006})
	}
	rows, notes, err := storageRows(through, alone, 2)
	if err != nil {
		t.Fatal(err)
	}
	if s := rows[0].claimed(); math.Abs(s.Center-.99) > 1e-9 || math.Abs(s.High-s.Low) > 1e-9 {
		t.Errorf("operations: %+v", s)
	}
	if s := rows[1].claimed(); math.Abs(s.Center-100./99) > 1e-9 {
		t.Errorf("CPU time an operation: %+v", s)
	}
	if got := stats.Median(rows[2].assay); math.Abs(got-.03) > 1e-9 {
		t.Errorf("own CPU time: %v s a second, want 0.03", got)
	}
	if len(notes) != 1 {
		t.Errorf("notes %q", notes)
	}
	if _, _, err := storageRows([]reading{{iops: 1, fioCPU: 1}}, []reading{{}}, 2); err == nil {
		t.Error("no reads were compared")
	}
}

// The measured case must be in the suite and keep its meaning with a smaller
// file.
func TestStorageTrial(t *testing.T) {
	dir := assay.Subject{ID: "here/directory/srv", Kind: assay.KindDirectory, Host: "here", Name: "/srv"}
	inv := assay.Inventory{
		Subjects: []assay.Subject{dir},
		Facts: map[string]assay.Facts{"here": {
			CPU:   assay.CPUFacts{Threads: 2},
			Tools: []assay.ToolFacts{{Name: "fio", Path: "/usr/bin/fio", Version: "fio-3.33"}},
			Dirs:  []assay.DirFacts{{Path: "/srv", Exists: true, Writable: true, FileSystem: "ext4", Bytes: 1 << 40, Free: 1 << 39}},
		}},
	}
	trial, err := storageTrial(inv, fio.New())
	if err != nil {
		t.Fatal(err)
	}
	if trial.Settings["rw"] != "randread" || trial.Scratch != 256<<20 {
		t.Errorf("%+v", trial)
	}
	full := inv.Facts["here"]
	full.Dirs[0].Free = 1 << 20
	if _, err := storageTrial(inv, fio.New()); err == nil {
		t.Error("a full file system is no error")
	}
}
