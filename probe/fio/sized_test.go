package fio

import (
	"testing"

	"assay"
)

// A trial sized like an earlier one has that size wherever a size is read.
func TestSized(t *testing.T) {
	was := assay.Trial{ID: "x", Probe: "fio", Scratch: 4 << 30, Settings: map[string]string{"rw": "randread", "size": "auto"}}
	is := new(Probe).Sized(was, assay.Scratch{File: "/gone", Bytes: 512 * mib})
	set, err := readSettings("x", is.Settings)
	if err != nil || set.size != 512*mib || is.Scratch != 512*mib {
		t.Errorf("size %d, scratch %d: %v", set.size, is.Scratch, err)
	}
	if was.Settings["size"] != "auto" {
		t.Error("the earlier trial was changed")
	}
}
