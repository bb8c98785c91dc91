package iperf2

import (
	"path/filepath"
	"testing"

	"assay/internal/captured"
	"assay/probe/probetest"
)

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*.txt"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			f.Add(captured.Text(f, filepath.Base(file)), "")
		}
	}
	f.Add("[  3]  0.0-10.0 sec  1.10 GBytes   942 Mbits/sec", "iperf -c h -u -b 1g")
	f.Fuzz(func(t *testing.T, text, command string) {
		got, err := New().Parse(captured.Output(text, command))
		probetest.CheckParsed(t, got, err, text)
		begins(text)
		splits([]byte(text), command)
	})
}
