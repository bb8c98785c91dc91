package volumetest

import (
	"context"
	_ "embed" // the script
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/lazyregexp"
)

// Loop lends file-backed loop devices in the subject's directory: a kind whose
// device appears only when it is lent, for tests of code that must handle any such
// kind. The file cache-mode in that directory, if present, stands for a property of
// existing storage: Lend sets it to the way's value of cache, and Release restores
// it.
type Loop struct{}

// Kind is the volume's name in receipts and suites.
func (Loop) Kind() string { return "loop" }

//go:embed loop.sh
var loopScript string

// NeedLoop skips a test where no loop device can be made.
func NeedLoop(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root for loop devices")
	}
}

var loopID = lazyregexp.New(`^[0-9a-z]{8,64}$`)

// Property is the name of the file that stands for a property.
const Property = "cache-mode"

// Reserve names the file under the device, and reads the property.
func (l Loop) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := want.Way.Check(l.Kind(), "cache"); err != nil {
		return assay.Receipt{}, err
	}
	r := assay.Receipt{
		ID: want.ID, Volume: l.Kind(), Host: s.Host, Subject: s.ID, Bytes: want.Bytes, Way: want.Way,
		Names: map[string]string{"file": path.Join(s.Name, ".assay-"+want.ID+".img")},
	}
	file, err := l.file(r)
	if err != nil || len(want.Way) == 0 {
		return r, err
	}
	was, err := l.do(ctx, at, "look", file)
	if err != nil {
		return assay.Receipt{}, err
	}
	r.Restore = []assay.Property{{Of: s.Name, Name: Property, Value: was}}
	return r, nil
}

// file returns the file of a receipt, which Reserve must have made.
func (l Loop) file(r assay.Receipt) (string, error) {
	file := r.Names["file"]
	if r.Volume != l.Kind() || !loopID.MatchString(r.ID) || !path.IsAbs(file) || path.Clean(file) != file || path.Base(file) != ".assay-"+r.ID+".img" {
		return "", fmt.Errorf("receipt %q does not name a loop device's file: %q", r.ID, file)
	}
	return file, nil
}

// Lend creates the file and the device, and sets the property.
func (l Loop) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	file, err := l.file(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	device, err := l.do(ctx, at, "lend", file, fmt.Sprint(r.Bytes), r.Way["cache"])
	if err != nil {
		return assay.Scratch{}, err
	}
	return assay.Scratch{File: device, Bytes: r.Bytes, Devices: []string{path.Base(device)}}, nil
}

// Release removes the device and the file, and restores the property.
func (l Loop) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	file, err := l.file(r)
	if err != nil {
		return err
	}
	words := []string{file}
	for _, p := range r.Restore {
		words = append(words, p.Value)
	}
	_, err = l.do(ctx, at, "release", words...)
	return err
}

func (Loop) do(ctx context.Context, at assay.Place, what string, words ...string) (string, error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: append([]string{"sh", "-c", loopScript, "sh", what}, words...), Timeout: 5 * time.Minute})
	if err == nil && out.Exit != 0 {
		err = fmt.Errorf("exit %d: %s", out.Exit, strings.TrimSpace(string(out.Stderr)))
	}
	if err != nil {
		return "", fmt.Errorf("%s loop device on %s: %w", what, at.Host().Name, err)
	}
	return strings.TrimSpace(string(out.Stdout)), nil
}
