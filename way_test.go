package assay

import (
	"slices"
	"testing"
)

func TestWay(t *testing.T) {
	if got := (Way{"sync": "always", "cache": "none"}).Words(); !slices.Equal(got, []string{"cache=none", "sync=always"}) {
		t.Errorf("%q", got)
	}
	if err := (Way{"sync": "always"}).Check("zfs", "compression", "sync"); err != nil {
		t.Error(err)
	}
	if err := (Way)(nil).Check("dir"); err != nil {
		t.Error(err)
	}
	for _, known := range [][]string{nil, {"cache"}} {
		if err := (Way{"sync": "always"}).Check("dir", known...); err == nil || Hint(err) == "" {
			t.Errorf("known %v: %v", known, err)
		}
	}
}
