// Package winfile looks after a probe's scratch file on a Windows host. The commands that it
// runs are not steps of a transcript: they measure nothing.
package winfile

import (
	"context"
	_ "embed" // the script
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/internal/powershell"
)

//go:embed settle.ps1
var settleScript string

// Settle truncates a written file to the bytes that may be measured, and verifies that it has
// them all and stores them as written, neither compressed nor sparse.
func Settle(ctx context.Context, at assay.Place, s assay.Scratch) error {
	argv, err := powershell.Command(settleScript, map[string]any{"File": s.File, "Bytes": s.Bytes})
	if err != nil {
		return err
	}
	host := at.Host().Name
	out, err := at.Run(ctx, assay.Cmd{Argv: argv, Timeout: time.Minute})
	if err != nil {
		return fmt.Errorf("look at %s on %s: %w", s.File, host, err)
	}
	var said struct {
		Length          int64
		Attributes, Why string
	}
	switch err := powershell.Read(out.Stdout, &said); {
	case err != nil:
		return fmt.Errorf("look at %s on %s: %s: %w", s.File, host, powershell.Said(out), err)
	case said.Why != "":
		return fmt.Errorf("look at %s on %s: %.300s", s.File, host, said.Why)
	case said.Length != s.Bytes:
		return fmt.Errorf("%s: %s is %d bytes long after %d bytes were written", host, s.File, said.Length, s.Bytes)
	case strings.Contains(said.Attributes, "SparseFile"), strings.Contains(said.Attributes, "Compressed"):
		return assay.WithHint("turn compression off: compact /U", "%s: %s is compressed or sparse (%s): reads would not all reach the device", host, s.File, said.Attributes)
	}
	return nil
}
