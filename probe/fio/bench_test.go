package fio

import (
	"bytes"
	"fmt"
	"testing"

	"assay/internal/captured"
)

// BenchmarkParseJSONPlus parses a document of 20 MB: real jobs with their bins,
// repeated.
func BenchmarkParseJSONPlus(b *testing.B) {
	one := captured.Bytes(b, "3.33-randread-uring.json")
	one = one[bytes.LastIndex(one, []byte("\n{"))+1:]
	from := bytes.Index(one, []byte("\"jobs\" : [")) + len("\"jobs\" : [")
	to := bytes.LastIndex(one, []byte("\n  ],"))
	head, job, tail := one[:from], one[from:to], one[to:]
	var all bytes.Buffer
	all.Write(head)
	for n := 0; all.Len() < 20<<20; n++ {
		if n > 0 {
			all.WriteByte(',')
		}
		all.Write(bytes.Replace(job, []byte(`"jobname" : "`), fmt.Appendf(nil, `"jobname" : "%d`, n), 1))
	}
	all.Write(tail)
	benchmarkParse(b, all.Bytes())
}

// BenchmarkParseText parses a report of 20 MB: one job after another.
func BenchmarkParseText(b *testing.B) {
	one := captured.Bytes(b, "text/3.36-nvme-headless.txt")
	var all bytes.Buffer
	for n := 0; all.Len() < 20<<20; n++ {
		all.Write(bytes.Replace(one, []byte("pid=3041"), fmt.Appendf(nil, "pid=%d", n), 1))
	}
	benchmarkParse(b, all.Bytes())
}

func benchmarkParse(b *testing.B, out []byte) {
	b.Helper()
	tr := measured(out)
	if _, err := New().Parse(tr); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(out)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New().Parse(tr); err != nil {
			b.Fatal(err)
		}
	}
}
