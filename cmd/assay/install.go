package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assay"
	"assay/internal/version"
	"assay/suite"
)

// installWish are the flags about tools that are missing.
type installWish struct {
	install, yes bool
}

func (w *installWish) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.install, "install-tools", false, "install the tools that the suite needs and that are missing, after asking")
	cmd.Flags().BoolVar(&w.yes, "yes", false, "answer every question with yes")
}

// installCommands gives the package manager's commands; none reads a shell.
var installCommands = map[string][][]string{
	"apt":    {{"apt-get", "update", "-q"}, {"apt-get", "install", "-y", "-q", "--no-install-recommends"}},
	"dnf":    {{"dnf", "install", "-y"}},
	"pacman": {{"pacman", "-S", "--noconfirm", "--needed"}},
	"apk":    {{"apk", "add"}},
}

// installBound is for a package manager that waits for a lock or a mirror.
const installBound = 10 * time.Minute

// installTools installs what the suite's probes lack on each host, where that
// was asked for.
func (a *app) installTools(ctx context.Context, look *session, s suite.Suite, w installWish) error {
	if !w.install {
		return nil
	}
	installed := false
	for _, h := range look.hosts {
		f, asked := look.inventory.Facts[h.Place.Host().Name]
		if !asked {
			continue
		}
		packages := lackingPackages(look, f, s)
		if len(packages) == 0 {
			continue
		}
		if err := a.install(ctx, h.Place, f, packages, w); err != nil {
			return err
		}
		installed = true
	}
	if !installed {
		return nil
	}
	return look.look(ctx)
}

// install installs packages on one host, after asking.
func (a *app) install(ctx context.Context, at assay.Place, f assay.Facts, packages []string, w installWish) error {
	commands := installCommands[f.Packager]
	switch {
	case commands == nil:
		return assay.WithHint("install them by hand: "+list(packages), "--install-tools: no known package manager on %s", f.Host)
	case !f.Root:
		return assay.WithHint("install them by hand: "+list(packages), "--install-tools: needs root on %s", f.Host)
	}
	if !w.yes && !a.ask(ctx, fmt.Sprintf("install %s on %s with %s?", list(packages), f.Host, f.Packager)) {
		return assay.WithHint("say yes, or give --yes", "nothing was installed")
	}
	for i, argv := range commands {
		if i == len(commands)-1 {
			argv = append(slices.Clone(argv), packages...)
		}
		fmt.Fprintf(a.stderr, "%s: %s\n", f.Host, strings.Join(argv, " "))
		out, err := at.Run(ctx, assay.Cmd{Argv: argv, Env: []string{"DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"}, Timeout: installBound})
		if err != nil {
			return fmt.Errorf("install on %s: %w", f.Host, err)
		}
		if out.Exit != 0 {
			return assay.WithHint("install them by hand: "+list(packages), "%s on %s failed: %s", argv[0], f.Host, strings.TrimSpace(lastLines(out.Stderr, 3)))
		}
	}
	return nil
}

// lackingPackages are the packages of the tools that the suite needs and the
// host lacks.
func lackingPackages(look *session, f assay.Facts, s suite.Suite) []string {
	var out []string
	for _, p := range look.probes {
		spec := p.Spec()
		if !slices.ContainsFunc(s.Cases, func(c assay.Case) bool { return c.Probe == spec.Name }) {
			continue
		}
		for _, need := range spec.Tools {
			have := f.Tool(need.Name)
			pkg := cmp.Or(need.Packages[f.Packager], need.Name)
			if (have.Path == "" || version.Older(have.Version, need.Least)) && !slices.Contains(out, pkg) {
				out = append(out, pkg)
			}
		}
	}
	return out
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
