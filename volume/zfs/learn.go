package zfs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/stacks/zfs"
)

// Learn implements volume.Learner: it adds the pool, its devices, the ARC and the
// dataset, and notes what is odd about them. The space to be lent is added as the
// directory or the device that it will be, since it does not exist yet.
func (s *Storage) Learn(ctx context.Context, at assay.Place, f *assay.Facts) ([]assay.Note, error) {
	setup, err := look(ctx, at, string(s.Dataset))
	if err != nil {
		return nil, err
	}
	for _, p := range setup.Facts() {
		if i := slices.IndexFunc(f.Pools, func(old assay.PoolFacts) bool { return old.Name == p.Name }); i >= 0 {
			f.Pools = slices.Delete(slices.Clone(f.Pools), i, i+1)
		}
		f.Pools = append(f.Pools, p)
	}
	space, err := readSpace(slices.DeleteFunc(slices.Clone(setup.Properties), func(p zfs.Property) bool { return p.Of != string(s.Dataset) }))
	if err != nil {
		return nil, fmt.Errorf("zfs get %s: %w", s.Dataset, err)
	}
	s.describe(f, setup, space)
	// What the tier sets itself is neither odd nor the parent's.
	setup.Properties = slices.DeleteFunc(setup.Properties, func(p zfs.Property) bool { return p.Of == string(s.Dataset) && s.set()[p.Name] != "" })
	notes := setup.Odd(*f)
	if why := setup.Status.Disturbed(); len(why) > 0 {
		notes = append(notes, assay.Note{ID: "zfs-disturbed", Text: "the pool is measured although " + strings.Join(why, ", ")})
	}
	return notes, nil
}

// describe adds the space to be lent, with the settings that it will have.
func (s *Storage) describe(f *assay.Facts, setup zfs.Setup, space space) {
	if f.Pool(s.Path()) == nil {
		f.Pools = append(f.Pools, s.lent(*f))
	}
	below := append(setup.Disks(zfs.Data), setup.Disks(zfs.Log)...)
	if s.Zvol {
		f.Block = append(f.Block, assay.BlockDevice{Name: s.Path(), Path: s.Path(), Kind: "other", On: below, Bytes: space.free - assay.KeepFree(space.free+space.used)})
		return
	}
	f.Dirs = append(f.Dirs, assay.DirFacts{
		Path: s.Path(), FileSystem: "zfs", Source: string(s.Dataset), Dataset: s.Path(), Drives: below,
		Bytes: space.free + space.used, Free: space.free, Writable: true, Exists: true,
	})
}

// lent returns the dataset to be lent: its parent's settings, and those asked for.
func (s *Storage) lent(f assay.Facts) assay.PoolFacts {
	p := assay.PoolFacts{Kind: "zfs", Name: s.Path(), Properties: map[string]string{}}
	if above := f.Pool(string(s.Dataset)); above != nil {
		p.Version = above.Version
		for _, name := range append(knownTo(s.Zvol), "direct", "dedup", "zfs_dio_enabled") {
			if value := above.Properties[name]; value != "" {
				p.Properties[name] = value
			}
		}
	}
	for name, value := range s.set() {
		if text, err := canonical(name, value); err == nil {
			p.Properties[name] = text
		}
	}
	return p
}

// look asks a host what a pool consists of. Anything that it cannot report, except the
// pool itself, its devices and the dataset, is left out.
func look(ctx context.Context, at assay.Place, dataset string) (zfs.Setup, error) {
	pool := zfs.PoolOf(dataset)
	all, err := pools(ctx, at, pool)
	if err != nil {
		return zfs.Setup{}, err
	}
	s := zfs.Setup{Pool: all[0], Dataset: dataset}
	text, err := zfs.Ask(ctx, at, "zpool", "status", "-P", "-L", pool)
	if err != nil {
		return s, err
	}
	if s.Status, err = zfs.ReadStatus(text); err != nil {
		return s, err
	}
	if s.Status.Suspended() {
		return s, fmt.Errorf("pool %s is suspended", pool)
	}
	if text, err = zfs.Ask(ctx, at, "zfs", "get", "-H", "-p", "-o", "name,property,value,source", "all", dataset); err != nil {
		return s, err
	}
	s.Properties = zfs.ReadProperties(text)
	ask := func(argv ...string) []byte {
		out, err := at.Run(ctx, zfs.Command(argv...))
		if err != nil || out.Exit != 0 && len(out.Stdout) == 0 {
			return nil
		}
		return out.Stdout
	}
	if s.Tools, s.Module, err = zfs.ReadVersion(ask("zfs", "version")); err != nil {
		s.Module = strings.TrimSpace(string(ask("cat", "/sys/module/zfs/version")))
	}
	var paths []string
	for _, class := range []string{zfs.Data, zfs.Log, zfs.Special, zfs.Cache} {
		paths = append(paths, slices.DeleteFunc(s.Status.Devices(class), func(path string) bool { return !strings.HasPrefix(path, "/dev/") })...)
	}
	if len(paths) > 0 {
		s.Devices, _ = zfs.ReadDevices(ask(append([]string{"lsblk", "--pairs", "--nodeps", "--output", zfs.DeviceColumns, "--"}, paths...)...))
	}
	if s.Ashift, err = zfs.ReadAshift(ask("zdb", "-C", pool)); err != nil {
		// Without options, zpool status names vdevs as zpool get does.
		if named, err := zfs.ReadStatus(ask("zpool", "status", pool)); err == nil {
			s.Ashift, _ = zfs.ReadVdevAshift(ask("zpool", "get", "-H", "-o", "name,value", "ashift", pool, "all-vdevs"), named)
		}
	}
	if arc, err := zfs.ReadARC(ask("cat", "/proc/spl/kstat/zfs/arcstats")); err == nil {
		s.ARC = &arc
	}
	return s, ctx.Err()
}
