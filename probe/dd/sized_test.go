package dd

import (
	"testing"

	"assay"
	"assay/internal/setting"
)

// The file keeps its size; the source beside it needs as much again.
func TestSized(t *testing.T) {
	was := assay.Trial{ID: "x", Probe: "dd", Scratch: 1 << 30, Settings: map[string]string{"op": opWrite, "size": "auto"}}
	is := probe{}.Sized(was, assay.Scratch{Bytes: 100 * mib})
	set, err := readSettings(setting.Stored("x", is.Settings))
	if err != nil || set.size != 100*mib || is.Scratch != 200*mib || was.Settings["size"] != "auto" {
		t.Errorf("size %d, scratch %d, was %v: %v", set.size, is.Scratch, was.Settings, err)
	}
}
