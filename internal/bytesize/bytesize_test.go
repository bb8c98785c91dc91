package bytesize

import "testing"

func TestSizes(t *testing.T) {
	for text, want := range map[string]struct{ binary, exact float64 }{ // 0: no size
		"4096": {4096, 4096}, "512B": {512, 512}, "8 bytes": {8, 8}, "4k": {4096, 0}, "4K": {4096, 0}, "4kB": {4096, 4000}, "4 KB": {4096, 4000},
		"4KiB": {4096, 4096}, "4Ki": {4096, 0}, "1.5 GiB": {1.5 * (1 << 30), 1.5 * (1 << 30)}, "16 GB": {16 << 30, 16e9},
		"2TiB": {2 << 40, 2 << 40}, "16304920 kB": {16304920 << 10, 16304920e3}, "1P": {1 << 50, 0},
		"": {}, "k": {}, "-4k": {}, "1e9": {}, "4iB": {}, "4kk": {}, "4096B-8192B": {}, "1.2.3": {}, "9999999P": {}, "4 furlongs": {}, "NaN": {}, "0x10": {},
	} {
		for name, got := range map[string]struct {
			read func(string) (float64, bool)
			want float64
		}{"Binary": {Binary, want.binary}, "Exact": {Exact, want.exact}} {
			if v, ok := got.read(text); ok != (got.want != 0) || ok && v != got.want {
				t.Errorf("%s(%q) = %v, %v; want %v", name, text, v, ok, got.want)
			}
		}
	}
}

func TestWholeBytes(t *testing.T) {
	for text, want := range map[string]int64{"4k": 4096, "0.5k": 512, "0.3": 0, "x": 0} {
		if got := Whole(Binary(text)); got != want {
			t.Errorf("%q is %d B, want %d", text, got, want)
		}
	}
}
