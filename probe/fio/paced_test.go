package fio

import "testing"

// Only paced operations may use a file that fits into a drive's cache.
func TestSmallFilesAreForPacedOperations(t *testing.T) {
	small := map[string]string{"rw": "randwrite", "size": "4m", "rate_iops": "200"}
	if s, err := readSettings("c", small); err != nil || s.size != 4*mib {
		t.Errorf("%d, %v", s.size, err)
	}
	small["size"] = "3m"
	if _, err := readSettings("c", small); err == nil {
		t.Error("3 MiB are taken")
	}
	delete(small, "rate_iops")
	small["size"] = "63m"
	if _, err := readSettings("c", small); err == nil {
		t.Error("63 MiB at full speed are taken")
	}
}
