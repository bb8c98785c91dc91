package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"assay"
	"assay/inventory"
)

// look takes the facts of all hosts. A host that cannot be asked is an error only
// where no other answers.
func (s *Session) look(ctx context.Context) error {
	if err := s.survey(ctx); err != nil {
		return err
	}
	if len(s.hosts) > len(s.down) {
		return nil
	}
	var errs []error
	for _, h := range s.inventory.Hosts {
		errs = append(errs, s.down[h.Name])
	}
	return errors.Join(errs...)
}

// survey takes the facts of those that can be asked.
func (s *Session) survey(ctx context.Context) error {
	inv, down, err := inventory.Survey(ctx, s.there(), s.toolNames())
	if err != nil {
		return err
	}
	if err := s.foresee(ctx, &inv); err != nil {
		return err
	}
	inv.Networks, inv.Resources = s.networks, s.resources
	if s.deployment != nil && len(s.hosts) > len(down) {
		s.deployment.Complete(ctx, &inv, s.toolNames())
		s.hosts = append(slices.Clone(s.hosts), s.deployment.Holders()...)
	}
	if inv.File, err = s.file(); err != nil {
		return err
	}
	inv.Subjects = append(inv.Subjects, inventory.Links(inv)...)
	s.inventory, s.down = inv, down
	return nil
}

// file is the cluster.yaml as an absolute path, "" without one.
func (s *Session) file() (string, error) {
	if s.options.Cluster == "" {
		return "", nil
	}
	return filepath.Abs(s.options.Cluster)
}

// toolNames are the programs of all probes, but of those that measure Windows alone.
func (s *Session) toolNames() []string { return s.toolsOf(assay.Linux, assay.LinuxAndWindows) }

func (s *Session) toolsOf(systems ...assay.Systems) []string {
	var names []string
	for _, p := range s.probes {
		spec := p.Spec()
		if !slices.Contains(systems, spec.Systems) {
			continue
		}
		for _, t := range spec.Tools {
			if !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

// CheckDirectories refuses directories of this machine that are not there, before a
// store is opened for the run. Run checks again, on all hosts.
func (s *Session) CheckDirectories() error {
	if s.options.Cluster != "" || s.options.Replay != "" {
		return nil
	}
	for _, dir := range s.hosts[0].Dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return s.noDirectory(dir, thisHost())
		}
	}
	return nil
}

func (s *Session) noDirectory(dir, host string) error {
	return invalid(assay.WithHint("create it, or choose another "+s.dirWord(), "directory %s on %s: %w", dir, host, assay.ErrNotFound))
}

// checkDirs refuses directories that nothing can be written in. One of a tier costs
// that tier alone.
func (s *Session) checkDirs() error {
	if s.deployment != nil {
		return nil
	}
	for _, h := range s.hosts {
		f, asked := s.inventory.Facts[h.Place.Host().Name]
		if !asked {
			continue
		}
		for _, dir := range h.Dirs {
			d := f.Dir(dir)
			switch {
			case d == nil:
				continue
			case !d.Exists:
				return s.noDirectory(dir, f.Host)
			case !d.Writable && s.options.Cluster == "":
				return invalid(assay.WithHint("choose another with --dir, or run as a user with write permission", "directory %s on %s is %w", dir, f.Host, assay.ErrReadOnly))
			}
		}
	}
	return nil
}

// dirWord says where directories are named.
func (s *Session) dirWord() string {
	if s.options.Cluster != "" {
		return "under measure: in " + s.options.Cluster
	}
	return "with --dir"
}

// places are the hosts that answered, by name.
func (s *Session) places() map[string]assay.Place {
	all := map[string]assay.Place{}
	for _, h := range s.hosts {
		if name := h.Place.Host().Name; s.down[name] == nil && !s.clones.Unmade(name) {
			all[name] = h.Place
		}
	}
	return all
}

// isPod reports whether a host is a pod of this run.
func (s *Session) isPod(host string) bool {
	return s.deployment != nil && slices.Contains(s.deployment.Pods(), host)
}
