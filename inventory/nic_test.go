package inventory

import (
	"testing"

	"assay"
)

func TestBonds(t *testing.T) {
	f, err := Parse(wrap("@@ files /sys/class/net\nbond0/operstate:up\nbond0/speed:20000\nbond0/bonding/mode:802.3ad 4\nvmbr0/operstate:up\nvmbr0/speed:20000"))
	if err != nil {
		t.Fatal(err)
	}
	if n := f.NICs; len(n) != 2 || n[0].Driver != assay.Bonding || !n[0].Virtual || n[0].Speed != 2e10 || n[1].Driver != "" {
		t.Errorf("%+v", n)
	}
}
