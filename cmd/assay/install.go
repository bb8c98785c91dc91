package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assay"
	"assay/run/session"
)

// installWish holds the flags about missing tools.
type installWish struct {
	install, yes bool
}

func (w *installWish) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.install, "install-tools", false, "install missing tools, after a prompt")
	cmd.Flags().BoolVar(&w.yes, "yes", false, "assume yes to all prompts")
}

// check refuses to install if nothing is run.
func (w *installWish) check(at where) error {
	if w.install && at.Replay != "" {
		return usage(fmt.Errorf("--install-tools and --replay are mutually exclusive"))
	}
	return nil
}

// confirm lists what is about to be installed, and asks.
func (a *app) confirm(w installWish) func(context.Context, []session.Lack) bool {
	return func(ctx context.Context, lacks []session.Lack) bool {
		a.stderr.say("packages to install:\n")
		for _, l := range lacks {
			a.stderr.say("  %s: %s, with %s\n", l.Host, list(l.Packages), l.Packager)
		}
		return w.yes || a.ask(ctx, "install them?")
	}
}

// installed maps installation errors to messages and exit statuses.
func installed(err error) error {
	switch {
	case errors.Is(err, session.ErrToolsMissing):
		return &statusError{exitFailed, nil} // each was told
	case errors.Is(err, session.ErrDeclined):
		return assay.WithHint("answer y, or pass --yes", "%w", err)
	}
	return err
}

// ask asks a question on the terminal; the answer is no if there is no terminal
// or ctx ends first.
func (a *app) ask(ctx context.Context, question string) bool {
	answer := strings.ToLower(a.answer(ctx, question+" [y/N] "))
	return answer == "y" || answer == "yes"
}

// answer returns what is typed on the terminal; "" if there is no terminal or ctx ends
// first.
func (a *app) answer(ctx context.Context, prompt string) string {
	in, ok := a.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return ""
	}
	a.stderr.say("%s", prompt)
	answers := make(chan string, 1)
	go func() {
		answer, _ := bufio.NewReader(in).ReadString('\n')
		answers <- strings.TrimSpace(answer)
	}()
	select {
	case <-ctx.Done():
		return ""
	case answer := <-answers:
		return answer
	}
}
