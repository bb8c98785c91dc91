package fio

import (
	"bytes"
	"os"
	"strconv"
	"testing"

	"assay/internal/captured"
	"assay/probe/probetest"
)

// trimmed formats a value without its last bits.
func trimmed(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

func FuzzParse(f *testing.F) {
	// Small seeds only: the tests parse the larger captures, which the fuzzer
	// would spend its time minimizing.
	for _, file := range []string{
		"3.33-client-server.json", "3.33-normal-and-json.txt", "3.33-full.err", "3.33-nonexistent.json",
		"handmade-2.2.10-randwrite.json", "handmade-2.6-mixed.json",
	} {
		f.Add(captured.Bytes(f, file), 0)
	}
	for _, file := range reports(f) {
		out, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(out, 0)
	}
	f.Add([]byte(`{"fio version" : "fio-2.1", "jobs" : [{"read" : {"io_bytes" : 1, "bw" : 1, "iops" : 1, "runtime" : nan}}]}`), 0)
	f.Add([]byte("fio: io_u error on file /x: No space left on device\n"), 1)
	f.Fuzz(func(t *testing.T, out []byte, exit int) {
		tr := measured(out)
		tr.Steps[0].Output.Exit = exit
		(&Probe{}).Notes(tr)
		for line := range bytes.SplitSeq(out, []byte("\n")) {
			if begins(string(line)) {
				splits(out, string(line))
			}
		}
		splits(out, string(out))
		ms, err := New().Parse(tr)
		if exit != 0 && err == nil {
			t.Fatal("a fio that failed gave figures")
		}
		probetest.CheckParsed(t, ms, err, string(out))
	})
}
