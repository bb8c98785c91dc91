package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/internal/version"
	"assay/plan"
	"assay/plan/suite"
	"assay/run"
)

// packager is how to install packages. The commands are run without a shell.
type packager struct {
	refresh []string // updates the package lists; nil if not needed
	install []string // the packages follow
}

var packagers = map[string]packager{
	"apt":    {[]string{"apt-get", "update", "-q"}, []string{"apt-get", "install", "-y", "-q", "--no-install-recommends"}},
	"dnf":    {nil, []string{"dnf", "install", "-y"}},
	"pacman": {nil, []string{"pacman", "-S", "--noconfirm", "--needed"}},
	"apk":    {nil, []string{"apk", "add"}},
}

// installBound is for a package manager that waits for a lock or a mirror.
const installBound = 10 * time.Minute

// Lack is the set of tools that one host needs and lacks.
type Lack struct {
	Host     string
	Packager string   // the package manager there: apt, dnf, …
	Packages []string // of all missing tools
	Needed   []string // the tools that some measurement requires

	place assay.Place
}

// install installs the tools that suites lack, on all hosts at once after one
// confirmation, and looks at the hosts again. It returns the number of hosts that
// still lack a needed tool: each of them is reported, and the others are kept. If
// the user declines, the error is ErrDeclined and nothing was run.
func (s *Session) install(ctx context.Context, suites []suite.Suite) (lacking int, err error) {
	if s.options.Replay != "" {
		return 0, invalidf("cannot install tools in a replay")
	}
	var able []Lack
	for _, l := range s.lacks(suites) {
		if err := s.unable(l); err != nil {
			s.problem(err)
			lacking += min(len(l.Needed), 1)
			continue
		}
		able = append(able, l)
	}
	if len(able) == 0 {
		return lacking, nil
	}
	if s.options.Confirm == nil || !s.options.Confirm(ctx, able) {
		return lacking, cmp.Or(ctx.Err(), ErrDeclined)
	}
	failed := s.installAll(ctx, able)
	if ctx.Err() != nil {
		return lacking, ctx.Err()
	}
	if err := s.look(ctx); err != nil {
		return lacking, err
	}
	for _, l := range s.lacks(suites) {
		tried := slices.ContainsFunc(able, func(was Lack) bool { return was.Host == l.Host })
		if !tried || len(l.Needed) == 0 {
			continue
		}
		lacking++
		if !failed[l.Host] {
			s.problem(assay.WithHint("see what is packaged there: "+l.command(),
				"host %s: %s has nothing newer, and %s is still missing or too old", l.Host, l.Packager, list(l.Needed)))
		}
	}
	return lacking, nil
}

// installAll installs on all hosts concurrently. Each host's messages stay
// together, in the order of the hosts. It returns the hosts that failed.
func (s *Session) installAll(ctx context.Context, lacks []Lack) (failed map[string]bool) {
	type told struct {
		log []string
		err error
	}
	ends := make([]chan told, len(lacks))
	for i, l := range lacks {
		ends[i] = make(chan told, 1)
		go func() {
			var t told
			t.err = l.install(ctx, func(line string) { t.log = append(t.log, l.Host+": "+line) })
			ends[i] <- t
		}()
	}
	failed = map[string]bool{}
	for i, l := range lacks {
		t := <-ends[i]
		for _, line := range t.log {
			s.step(line)
		}
		if t.err != nil {
			failed[l.Host] = true
			if ctx.Err() == nil {
				s.problem(t.err)
			}
		}
	}
	return failed
}

// install installs the packages and passes the commands to log. It holds the
// host meanwhile: a package manager would disturb another run.
func (l Lack) install(ctx context.Context, log func(line string)) error {
	release, _, err := run.Hold(ctx, l.place, fmt.Sprintf("assay of %s, installing", thisHost()))
	if errors.Is(err, assay.ErrBusy) {
		return assay.WithHint("wait until it has finished", "nothing was installed: %w", err)
	}
	if err == nil {
		defer release()
	}
	by := packagers[l.Packager]
	if by.refresh != nil {
		// A single repository that is down, or needs a subscription, makes this
		// fail; the packages may come from another.
		if err := l.run(ctx, log, by.refresh); err != nil && ctx.Err() == nil {
			log(fmt.Sprintf("continuing with the existing package lists: %v", err))
		}
	}
	return l.run(ctx, log, slices.Concat(by.install, l.Packages))
}

func (l Lack) run(ctx context.Context, log func(line string), argv []string) error {
	log(strings.Join(argv, " "))
	out, err := l.place.Run(ctx, assay.Cmd{Argv: argv, Env: []string{"DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"}, Timeout: installBound})
	switch {
	case err != nil:
		return fmt.Errorf("%s on %s: %w", argv[0], l.Host, err)
	case out.Exit != 0:
		said := cmp.Or(lastLines(out.Stderr, 3), lastLines(out.Stdout, 3), fmt.Sprintf("exit status %d", out.Exit))
		return assay.WithHint("install by hand on it: "+l.command(), "%s on %s failed: %s", argv[0], l.Host, said)
	}
	return nil
}

// unable returns why nothing can be installed on a host, and what to do there.
func (s *Session) unable(l Lack) error {
	packages := list(l.Packages)
	switch _, known := packagers[l.Packager]; {
	case !known:
		return assay.WithHint("install by hand on it: "+packages, "host %s: %s is missing, and no supported package manager was found", l.Host, packages)
	case s.inventory.Facts[l.Host].Root:
		return nil
	case s.options.Cluster == "":
		return assay.WithHint("run assay as root, or install by hand: "+l.command(), "host %s: installing %s needs root", l.Host, packages)
	default:
		return assay.WithHint("set user: root or sudo: true in "+s.options.Cluster+", or install by hand on it: "+l.command(),
			"host %s: installing %s needs root", l.Host, packages)
	}
}

// command returns the command to type on the host.
func (l Lack) command() string {
	return strings.Join(slices.Concat(packagers[l.Packager].install, l.Packages), " ")
}

// lacks returns the hosts that lack tools needed by suites, in the cluster's
// order.
func (s *Session) lacks(suites []suite.Suite) []Lack {
	var all []Lack
	for _, h := range s.everywhere() {
		f, asked := s.inventory.Facts[h.Place.Host().Name]
		if !asked {
			continue
		}
		if l := s.lacksOn(f, suites); len(l.Packages) > 0 {
			l.place = h.Place
			all = append(all, l)
		}
	}
	return all
}

// lacksOn returns the tools that the suites' cases need and one host lacks.
func (s *Session) lacksOn(f assay.Facts, suites []suite.Suite) Lack {
	used := map[string]bool{} // probes
	for _, one := range suites {
		for _, c := range one.Cases {
			used[c.Probe] = used[c.Probe] || slices.ContainsFunc(s.inventory.Of(c.On), func(on assay.Subject) bool {
				return on.Host == f.Host || on.Peer == f.Host
			})
		}
	}
	l := Lack{Host: f.Host, Packager: f.Packager}
	for _, p := range s.probes {
		spec := p.Spec()
		if !used[spec.Name] || !spec.Systems.Include(f.OS.Windows) || plan.Spared(f, spec, s.probes) {
			continue
		}
		for _, need := range spec.Tools {
			have := f.Tool(need.Name)
			if have.Path != "" && !version.Older(have.Version, need.Least) {
				continue
			}
			if pkg := cmp.Or(need.Packages[f.Packager], need.Name); !slices.Contains(l.Packages, pkg) {
				l.Packages = append(l.Packages, pkg)
			}
			if !need.Optional && !slices.Contains(l.Needed, need.Name) {
				l.Needed = append(l.Needed, need.Name)
			}
		}
	}
	return l
}

func lastLines(b []byte, n int) string {
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return strings.Join(lines[max(len(lines)-n, 0):], "; ")
}
