package ingest

import (
	"strings"
	"testing"

	"assay/ingest/readers"
)

// From a report, a PDF leaves a command, and a table in place of its output: the
// command says what the table is about.
func TestATableUnderACommand(t *testing.T) {
	const text = `
 fio --ioengine=libaio --filename=/dev/sdx --direct=1 --sync=1 --rw=write --bs=4K
--numjobs=1 --iodepth=1 --runtime=60 --time_based --name=fio

4K
Bandwidth (KB) IO/s Latency (ms)
Micron 9300 MAX 3.2 TB 205824 51000 0.02
Samsung SM863 240GB 2.5inch SSD 69942 17485 0.06
Intel DC S3510 120GB 50075 12518 0.08
`
	var r Reading
	if err := r.Read("paper.txt", strings.NewReader(text), readers.All()); err != nil {
		t.Fatal(err)
	}
	if len(r.Items) != 3 || len(r.Unread) != 0 {
		t.Fatalf("%d results, want 3; unread: %v", len(r.Items), r.Unread)
	}
	m := r.Items[0].Repeats[0].Measurement("storage.write.iops")
	if m == nil || m.Value != 51000 || m.Line != 7 || m.Labels["bs"] != "4k" || m.Labels["iodepth"] != "1" {
		t.Errorf("got %+v", m)
	}
}

// A .csv file may come from people who publish figures, or from tools that print
// comma-separated lines.
func TestATableOfCommasHasAHeader(t *testing.T) {
	for head, want := range map[string]bool{
		"ISO date,label,path type,paths\n2026-05-22T16:09:38,,dir,1\n": false,
		"host,metric,value\n":                           true,
		"# of two drives\n\n\"host\",metric,value\n":    true,
		"\ufeffhost;metric;value\n":                     true,
		"20140114124826,127.0.0.1,54402\n":              false,
		"+0100:20140114124826,127.0.0.1,54402\n":        false,
		"-0500:20140114124826.123,127.0.0.1,54402\n":    false,
		"3;fio-3.33;seqr;0;0;249664;124520;1945;2005\n": false,
	} {
		if is := IsTable("figures.csv", []byte(head)); is != want {
			t.Errorf("%q: %v", head, is)
		}
	}
}
