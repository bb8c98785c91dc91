package clone

import (
	"errors"
	"testing"
	"testing/synctest"

	"assay"
)

// A domain that was being started when assay was killed is destroyed once it runs, and its
// volumes once libvirt is done in their pool.
func TestWhatSettles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		r, of := reserve(t, w, wants["libvirt"])
		if err := w.volume().Make(t.Context(), r, of); err != nil {
			t.Fatal(err)
		}
		_, d := w.domain(uuidOf(id))
		d.state, w.late, w.making = "shut off", true, 3
		if err := w.volume().Release(t.Context(), nil, r); err != nil {
			t.Error(err, assay.Hint(err))
		}
		if left := w.left(t); len(left) > 0 {
			t.Errorf("left %q", left)
		}
		w.making = -1
		if err := w.volume().Release(t.Context(), nil, r); !errors.Is(err, assay.ErrBusy) || assay.Hint(err) == "" {
			t.Errorf("a pool that never settles: %v", err)
		}
	})
}
