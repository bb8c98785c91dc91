package report

import (
	"strings"
	"testing"

	"assay/analysis"
)

func TestCrossCheckWords(t *testing.T) {
	for bench, want := range map[float64]string{
		1050: "images: 4 KiB random writes, 32 in flight: rbd bench reaches 1,050 IOPS and fio 1,000 IOPS: two tools agree",
		2000: "can do 100 % more than fio drives it to", 500: "to 50 % less",
	} {
		check := analysis.CrossCheck{Subject: "images", Write: true, Random: true, Block: "4k", InFlight: "32", FIO: 1000, Bench: bench}
		if got := crossCheckWords(check); bench != 1050 && !strings.HasSuffix(got, "too few to call that a difference.") {
			t.Errorf("%s", got)
		}
		check.Apart = true
		got := crossCheckWords(check)
		if !strings.Contains(strings.ReplaceAll(got, "fio 1,000:", "fio 1,000 IOPS:"), want) {
			t.Errorf("%s", got)
		}
	}
}
