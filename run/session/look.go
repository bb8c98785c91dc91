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

// look collects the facts of all hosts. An unreachable host is an error only if
// no host answers.
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

// survey collects the facts of the hosts that can be asked.
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
	}
	if inv.File, err = s.file(); err != nil {
		return err
	}
	inv.Subjects = append(inv.Subjects, inventory.Links(inv)...)
	s.inventory, s.down = inv, down
	return nil
}

// file returns the absolute path of the cluster.yaml, "" without one.
func (s *Session) file() (string, error) {
	if s.options.Cluster == "" {
		return "", nil
	}
	return filepath.Abs(s.options.Cluster)
}

// toolNames returns the programs of all probes except those for Windows alone.
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

// CheckDirectories rejects missing directories of this machine before a store is
// opened for the run. Run checks again, on all hosts.
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

// checkDirs rejects missing directories and, without a cluster.yaml, read-only ones.
// With tiers it rejects none: a bad directory affects only its tier.
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

// dirWord says where the user names directories.
func (s *Session) dirWord() string {
	if s.options.Cluster != "" {
		return "under measure: in " + s.options.Cluster
	}
	return "with --dir"
}

// everywhere returns the hosts, and those that were found to hold data of tiers.
func (s *Session) everywhere() []inventory.Asked {
	if s.deployment == nil {
		return s.hosts
	}
	return slices.Concat(s.hosts, s.deployment.Holders())
}

// places returns the hosts that answered, by name.
func (s *Session) places() map[string]assay.Place {
	all := map[string]assay.Place{}
	for _, h := range s.everywhere() {
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
