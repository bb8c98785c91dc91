package assay

import "testing"

func TestKeepFree(t *testing.T) {
	for size, want := range map[int64]int64{0: 0, 100 << 20: 10 << 20, 10 << 30: 1 << 30, 20 << 30: 2 << 30, 5 << 40: 2 << 30} {
		if got := KeepFree(size); got != want {
			t.Errorf("KeepFree(%d) = %d, want %d", size, got, want)
		}
	}
}

func TestParseSize(t *testing.T) {
	for word, want := range map[string]int64{"4096": 4096, "4k": 4096, "4KiB": 4096, "1M": 1 << 20, "2g": 2 << 30, "0": 0, "": 0, "4kk": 0, "-4k": 0, "999999999999999t": 0} {
		if got, ok := ParseSize(word); got != want || ok != (want > 0) {
			t.Errorf("%q: %d, %v", word, got, ok)
		}
	}
}
