package assay

import "testing"

func TestKeepFree(t *testing.T) {
	for size, want := range map[int64]int64{0: 0, 100 << 20: 10 << 20, 10 << 30: 1 << 30, 20 << 30: 2 << 30, 5 << 40: 2 << 30} {
		if got := KeepFree(size); got != want {
			t.Errorf("KeepFree(%d) = %d, want %d", size, got, want)
		}
	}
}
