package winfile

import (
	"context"
	"strings"
	"testing"

	"assay"
	"assay/internal/powershell"
)

// wordy is a Windows host that answers a question about a file with these
// values.
type wordy map[string]any

func (wordy) Host() assay.Host { return assay.Host{Name: "win", OS: assay.Windows} }
func (wordy) Close() error     { return nil }
func (w wordy) Run(context.Context, assay.Cmd) (assay.Output, error) {
	out, err := powershell.Answer(map[string]any(w))
	return assay.Output{Stdout: out}, err
}

func TestFilesOfWindowsThatWillNotDo(t *testing.T) {
	s := assay.Scratch{File: `D:\bench\data`, Bytes: 64 << 20}
	for want, said := range map[string]wordy{
		"":                      {"Length": 64 << 20, "Attributes": "Archive"},
		"is 1 bytes long after": {"Length": 1},
		"compressed or sparse":  {"Length": 64 << 20, "Attributes": "Archive, Compressed"},
		"Could not find file":   {"Why": "Could not find file 'D:\\bench\\data'."},
	} {
		err := Settle(t.Context(), said, s)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
