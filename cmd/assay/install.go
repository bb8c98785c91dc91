package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assay"
	"assay/internal/version"
	"assay/plan/suite"
	"assay/run"
)

// installWish are the flags about tools that are missing.
type installWish struct {
	install, yes bool
}

func (w *installWish) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.install, "install-tools", false, "install the tools that are needed and missing, after asking")
	cmd.Flags().BoolVar(&w.yes, "yes", false, "answer every question with yes")
}

// packager is how packages are installed. No shell reads the commands.
type packager struct {
	refresh []string // brings its lists up to date; nil where that is not needed
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

// lack is what one host lacks.
type lack struct {
	host     string
	place    assay.Place
	packager string
	packages []string // of all tools that it lacks
	needed   []string // the tools without which something cannot be measured
}

// installTools installs what the suite lacks on each host, where that was asked
// for. A host where it cannot be done is told and measured without; it is an
// error where that is so of all.
func (a *app) installTools(ctx context.Context, look *session, s suite.Suite, w installWish) error {
	if !w.install {
		return nil
	}
	failed, err := a.install(ctx, look, []suite.Suite{s}, w)
	if err == nil && failed > 0 && failed == len(look.places()) {
		return &statusError{exitFailed, nil} // each was told
	}
	return err
}

// install installs what suites lack on each host, on all at once after one
// question, looks at the hosts again, and says on how many something is still
// missing that is needed: the others stand. Where the answer is no, nothing was run.
func (a *app) install(ctx context.Context, look *session, suites []suite.Suite, w installWish) (failed int, err error) {
	if look.replay != "" {
		return 0, usage(fmt.Errorf("--install-tools and --replay exclude each other"))
	}
	var able []lack
	for _, l := range lacking(look, suites) {
		if err := l.unable(look); err != nil {
			complain(a.stderr, err)
			failed += min(len(l.needed), 1)
			continue
		}
		able = append(able, l)
	}
	if len(able) == 0 {
		return failed, nil
	}
	fmt.Fprintln(a.stderr, "to be installed:")
	for _, l := range able {
		fmt.Fprintf(a.stderr, "  %s: %s, with %s\n", l.host, list(l.packages), l.packager)
	}
	if !w.yes && !a.ask(ctx, "install them?") {
		return failed, cmp.Or(ctx.Err(), assay.WithHint("say yes, or give --yes", "nothing was installed"))
	}
	broken := a.installAll(ctx, able)
	if ctx.Err() != nil {
		return failed, ctx.Err()
	}
	if err := look.look(ctx); err != nil {
		return failed, err
	}
	for _, l := range lacking(look, suites) {
		tried := slices.ContainsFunc(able, func(was lack) bool { return was.host == l.host })
		if !tried || len(l.needed) == 0 {
			continue
		}
		failed++
		if !broken[l.host] {
			complain(a.stderr, assay.WithHint("see what is packaged there: "+l.command(),
				"host %s: %s has nothing more to install, and %s is still missing or too old", l.host, l.packager, list(l.needed)))
		}
	}
	return failed, nil
}

// installAll installs on all hosts at once. What is told of one stands together,
// in the order of the hosts. It gives the hosts on which it failed.
func (a *app) installAll(ctx context.Context, lacks []lack) (broken map[string]bool) {
	type told struct {
		log strings.Builder
		err error
	}
	ends := make([]chan *told, len(lacks))
	for i, l := range lacks {
		ends[i] = make(chan *told, 1)
		go func() {
			t := new(told)
			t.err = l.install(ctx, &t.log)
			ends[i] <- t
		}()
	}
	broken = map[string]bool{}
	for i, l := range lacks {
		t := <-ends[i]
		fmt.Fprint(a.stderr, t.log.String())
		if t.err != nil {
			broken[l.host] = true
			if ctx.Err() == nil {
				complain(a.stderr, t.err)
			}
		}
	}
	return broken
}

// install installs the packages and writes what was run to log. It holds the host
// meanwhile: a package manager would disturb somebody else's run.
func (l lack) install(ctx context.Context, log io.Writer) error {
	release, err := run.Hold(ctx, l.place, fmt.Sprintf("assay of %s, installing", hostname()))
	if errors.Is(err, assay.ErrBusy) {
		return assay.WithHint("wait until it has ended", "nothing was installed: %w", err)
	}
	if err == nil {
		defer release()
	}
	by := packagers[l.packager]
	if by.refresh != nil {
		// One repository that is away, or wants a subscription, fails the whole; the
		// packages may come from another.
		if err := l.run(ctx, log, by.refresh); err != nil && ctx.Err() == nil {
			fmt.Fprintf(log, "%s: going on with the lists that are there: %v\n", l.host, err)
		}
	}
	return l.run(ctx, log, slices.Concat(by.install, l.packages))
}

func (l lack) run(ctx context.Context, log io.Writer, argv []string) error {
	fmt.Fprintf(log, "%s: %s\n", l.host, strings.Join(argv, " "))
	out, err := l.place.Run(ctx, assay.Cmd{Argv: argv, Env: []string{"DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"}, Timeout: installBound})
	switch {
	case err != nil:
		return fmt.Errorf("%s on %s: %w", argv[0], l.host, err)
	case out.Exit != 0:
		said := cmp.Or(lastLines(out.Stderr, 3), lastLines(out.Stdout, 3), fmt.Sprintf("exit status %d", out.Exit))
		return assay.WithHint("install by hand there: "+l.command(), "%s on %s failed: %s", argv[0], l.host, said)
	}
	return nil
}

// unable says why nothing can be installed on a host, and what to do there.
func (l lack) unable(look *session) error {
	switch _, known := packagers[l.packager]; {
	case !known:
		return assay.WithHint("install by hand there: "+list(l.packages), "host %s: no known package manager, and %s is missing", l.host, list(l.packages))
	case look.inventory.Facts[l.host].Root:
		return nil
	case look.cluster == "":
		return assay.WithHint("run assay as root, or install by hand: "+l.command(), "host %s: installing %s needs root", l.host, list(l.packages))
	default:
		return assay.WithHint("set user: root or sudo: true in "+look.cluster+", or install by hand there: "+l.command(),
			"host %s: installing %s needs root", l.host, list(l.packages))
	}
}

// command is what a person would type on the host.
func (l lack) command() string {
	return strings.Join(slices.Concat(packagers[l.packager].install, l.packages), " ")
}

// lacking gives the hosts that lack what suites need on them, in the cluster's
// order.
func lacking(look *session, suites []suite.Suite) []lack {
	var all []lack
	for _, h := range look.hosts {
		f, asked := look.inventory.Facts[h.Place.Host().Name]
		if !asked {
			continue
		}
		if l := lackingOn(look, f, suites); len(l.packages) > 0 {
			l.place = h.Place
			all = append(all, l)
		}
	}
	return all
}

// lackingOn is what the suites' cases need on one host and it lacks.
func lackingOn(look *session, f assay.Facts, suites []suite.Suite) lack {
	used := map[string]bool{} // probes
	for _, s := range suites {
		for _, c := range s.Cases {
			used[c.Probe] = used[c.Probe] || slices.ContainsFunc(look.inventory.Of(c.On), func(s assay.Subject) bool {
				return s.Host == f.Host || s.Peer == f.Host
			})
		}
	}
	l := lack{host: f.Host, packager: f.Packager}
	for _, p := range look.probes {
		spec := p.Spec()
		if !used[spec.Name] {
			continue
		}
		for _, need := range spec.Tools {
			have := f.Tool(need.Name)
			if have.Path != "" && !version.Older(have.Version, need.Least) {
				continue
			}
			if pkg := cmp.Or(need.Packages[f.Packager], need.Name); !slices.Contains(l.packages, pkg) {
				l.packages = append(l.packages, pkg)
			}
			if !need.Optional && !slices.Contains(l.needed, need.Name) {
				l.needed = append(l.needed, need.Name)
			}
		}
	}
	return l
}

// ask asks a question on the terminal; without one, and when ctx ends before the
// answer, it is no.
func (a *app) ask(ctx context.Context, question string) bool {
	in, ok := a.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return false
	}
	fmt.Fprintf(a.stderr, "%s [y/N] ", question)
	answers := make(chan string, 1)
	go func() {
		answer, _ := bufio.NewReader(in).ReadString('\n')
		answers <- strings.ToLower(strings.TrimSpace(answer))
	}()
	select {
	case <-ctx.Done():
		return false
	case answer := <-answers:
		return answer == "y" || answer == "yes"
	}
}

func lastLines(b []byte, n int) string {
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return strings.Join(lines[max(len(lines)-n, 0):], "; ")
}
