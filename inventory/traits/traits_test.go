package traits

import (
	"testing"

	"assay"
)

// Usable RAM is rounded up to the next size that is sold, and no further.
func TestInstalled(t *testing.T) {
	for total, want := range map[int64]string{
		8_200_000_000: "8 GiB", 16_600_000_000: "16 GiB", 33_500_000_000: "32 GiB", 50_400_000_000: "48 GiB",
		67_300_000_000: "64 GiB", 101_000_000_000: "96 GiB", 134_900_000_000: "128 GiB", 270_000_000_000: "256 GiB",
		1 << 30: "1 GiB", 4 << 30: "4 GiB", 500 << 20: "512 MiB", 0: "",
	} {
		if got := installed(assay.Facts{Memory: assay.MemoryFacts{Total: total}}); got != want {
			t.Errorf("%d B: %s, want %s", total, got, want)
		}
	}
}

func TestSold(t *testing.T) {
	for bytes, want := range map[int64]string{
		960_197_124_096: "960 GB", 1_000_204_886_016: "1 TB", 1_024_209_543_168: "1 TB", 999_999_999_999: "1 TB",
		500_107_862_016: "500 GB", 18_000_207_937_536: "18 TB", 7_681_501_126_656: "7.7 TB", 512: "510 B", 1: "1 B",
	} {
		if got := sold(bytes); got != want {
			t.Errorf("%d: %s, want %s", bytes, got, want)
		}
	}
}

// Every trait has a use and a text.
func TestTraitsAreWhole(t *testing.T) {
	whole := func(name string, uses Use, text bool) {
		if !text || uses == 0 || name == "" && uses != Resume {
			t.Errorf("%q: nobody can ask for it", name)
		}
	}
	for _, x := range Host {
		whole(x.Name, x.Uses, x.Text != nil)
	}
	for _, x := range Drive {
		whole(x.Name, x.Uses, x.Text != nil)
	}
	for _, x := range Directory {
		whole(x.Name, x.Uses, x.Text != nil)
	}
}
