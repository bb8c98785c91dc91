package drbd

import (
	"context"
	"errors"

	"assay"
	"assay/stacks/drbd"
	"assay/volume/dir"
	"assay/volume/zfs"
)

// backing is a kind of space under a replica, with receipts of its own.
type backing interface {
	// check refuses an invalid name.
	check(of string) error
	// reserve names what lend makes, on at.
	reserve(ctx context.Context, at assay.Place, of string, want assay.Request) (assay.Receipt, error)
	// lend makes a block device and returns its path. It may be smaller than asked for.
	lend(ctx context.Context, at assay.Place, r assay.Receipt) (device string, err error)
	// release removes it and checks that it is gone. It is idempotent.
	release(ctx context.Context, at assay.Place, r assay.Receipt) error
	// describe adds the space under the device to a host's facts, as a block device of
	// that name, and notes what is odd about it. What cannot be determined is left out.
	describe(ctx context.Context, at assay.Place, of, name string, f *assay.Facts) []assay.Note
}

// The kinds of backing, by their words in cluster.yaml.
const (
	backVolumeGroup = "volume_group"
	backDataset     = "dataset"
	backDirectory   = "directory"
)

var backings = map[string]backing{backVolumeGroup: volumeGroup{}, backDataset: dataset{}, backDirectory: directory{}}

// Lies adds to a host's facts what is under a replica's device of that name: space of that
// kind (volume_group, dataset or directory), and notes what is odd about it. What cannot be
// determined is left out.
func Lies(ctx context.Context, at assay.Place, device, kind, of string, f *assay.Facts) []assay.Note {
	if under := backings[kind]; under != nil && under.check(of) == nil {
		return under.describe(ctx, at, of, device, f)
	}
	return nil
}

// dataset makes a zvol below a dataset.
type dataset struct{}

func storageOf(of string) *zfs.Storage { return zfs.Zvol(of) }

func (dataset) check(of string) error { return storageOf(of).Validate() }

func (dataset) reserve(ctx context.Context, at assay.Place, of string, want assay.Request) (assay.Receipt, error) {
	s, err := zfs.ZvolSubject(of, at.Host().Name)
	if err != nil {
		return assay.Receipt{}, err
	}
	return zfs.New().Reserve(ctx, at, s, want)
}

func (dataset) lend(ctx context.Context, at assay.Place, r assay.Receipt) (string, error) {
	s, err := zfs.New().Lend(ctx, at, r)
	return s.File, err
}

func (dataset) release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	return zfs.New().Release(ctx, at, r)
}

func (dataset) describe(ctx context.Context, at assay.Place, of, name string, f *assay.Facts) []assay.Note {
	s := storageOf(of)
	notes, err := s.Learn(ctx, at, f)
	if err != nil {
		return nil
	}
	if d := f.DeviceAt(s.Path()); d != nil {
		f.Block = append(f.Block, assay.BlockDevice{Name: name, Path: name, Kind: "other", On: []string{d.Name}, Bytes: d.Bytes})
	}
	return notes
}

// directory makes a file and a loop device on it.
type directory struct{}

func (directory) check(of string) error {
	if !absolute(of) {
		return errors.New("not an absolute path")
	}
	return nil
}

func (directory) reserve(ctx context.Context, at assay.Place, of string, want assay.Request) (assay.Receipt, error) {
	host := at.Host().Name
	return dir.New().Reserve(ctx, at, assay.Subject{ID: host + "/directory/" + of, Kind: assay.KindDirectory, Host: host, Name: of}, want)
}

func (directory) lend(ctx context.Context, at assay.Place, r assay.Receipt) (string, error) {
	s, err := dir.New().Lend(ctx, at, r)
	if err != nil {
		return "", err
	}
	return makeLoop(ctx, at, s.File, s.Bytes)
}

func (directory) release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	if err := removeLoops(ctx, at, r.Names["dir"]); err != nil {
		return err
	}
	return dir.New().Release(ctx, at, r)
}

func (directory) describe(ctx context.Context, at assay.Place, of, name string, f *assay.Facts) []assay.Note {
	free, err := freeIn(ctx, at, of)
	if err != nil {
		return nil
	}
	// The path of its file shows which of the host's file systems it is on.
	loop := "loop of " + name
	f.Block = append(f.Block, assay.BlockDevice{Name: loop, Path: loop, Kind: "loop", Backing: of + "/.assay", Bytes: free},
		assay.BlockDevice{Name: name, Path: name, Kind: "other", On: []string{loop}, Bytes: free})
	return nil
}

// run runs a script with arguments on a host.
func run(ctx context.Context, at assay.Place, what, script string, words ...string) ([]byte, error) {
	return drbd.Tell(ctx, at, what, drbd.Command(append([]string{"sh", "-c", script, "sh"}, words...)...))
}
