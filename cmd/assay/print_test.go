package main

import (
	"errors"
	"strings"
	"testing"

	"assay"
)

func TestSettingsLine(t *testing.T) {
	got := settingsLine(assay.Trial{Settings: map[string]string{
		"size": "268435456", "block": "8192", "space": "1073741824", "bs": "4k", "objects": "4096", "mtu": "9000", "iodepth": "2048", "to_address": "0.0.0.0",
		"addresses": "10.0.0.1\tpods\ta\n",
	}})
	if want := "block=8.00 KiB bs=4k iodepth=2048 mtu=9000 objects=4096 size=256 MiB space=1.00 GiB"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A hint may be a file to apply: its lines stay lines, and none can pass for assay's
// own.
func TestHintOfSeveralLines(t *testing.T) {
	var out strings.Builder
	stream{&out}.complain(assay.WithHint("apply this:\nkind: List\nitems:\n- a\x1b[31m\n", "%w", errors.New("refused")))
	if want := "assay: refused\nhint: apply this:\n  kind: List\n  items:\n  - a[31m\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
