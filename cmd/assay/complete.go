package main

import (
	"strings"

	"github.com/spf13/cobra"

	"assay/internal/oneline"
	"assay/plan/suite"
	"assay/run/session"
	"assay/store"
)

// completer offers words for an argument or a flag.
type completer func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective)

// completions registers the shell completion of runs, hosts and cases.
func (a *app) completions(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "show", "report", "pin", "note", "export":
			cmd.ValidArgsFunction = first(a.completeRuns)
		case "compare", "gate":
			cmd.ValidArgsFunction = a.completeRuns
		}
		for flag, complete := range map[string]completer{
			"resume": a.completeRuns, "like": a.completeRuns, "only": completeCases, "skip": completeCases, "host": a.completeHosts,
		} {
			if cmd.Flags().Lookup(flag) != nil {
				_ = cmd.RegisterFlagCompletionFunc(flag, complete)
			}
		}
	}
}

// first completes only the first argument.
func first(complete completer) completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(cmd, args, word)
	}
}

// completeRuns offers names and ids of runs, newest first. Without a database there are
// none.
func (a *app) completeRuns(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	words := []string{"latest"}
	for _, r := range a.storedRuns(cmd) {
		words = append(append(words, r.Names...), r.ID)
	}
	return beginning(word, words), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeHosts offers the hosts of the cluster.yaml, or else of stored runs.
func (a *app) completeHosts(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var words []string
	if f := cmd.Flags().Lookup("inventory"); f != nil && f.Value.String() != "" {
		if c, err := session.ReadCluster(f.Value.String()); err == nil {
			for _, h := range c.Hosts {
				words = append(words, h.Name)
			}
		}
		return beginning(word, words), cobra.ShellCompDirectiveNoFileComp
	}
	for _, r := range a.storedRuns(cmd) {
		words = append(words, r.Hosts...)
	}
	return beginning(word, words), cobra.ShellCompDirectiveNoFileComp
}

// completeCases offers the cases and probes of the suite.
func completeCases(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	s, err := suite.Open(cmd.Flags().Lookup("suite").Value.String())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var words []string
	for _, c := range s.Cases {
		words = append(words, c.Probe, c.Name)
	}
	return beginning(word, words), cobra.ShellCompDirectiveNoFileComp
}

func (a *app) storedRuns(cmd *cobra.Command) []store.Summary {
	st, err := a.openStore(cmd.Context())
	if err != nil {
		return nil
	}
	defer st.Close()
	st.OnSkip(nil) // nobody reads it here
	runs, err := st.Runs(cmd.Context())
	if err != nil {
		return nil
	}
	return runs
}

// beginning returns the words with a prefix, each once. A word that cannot be printed
// verbatim is left out: completed, it would name nothing.
func beginning(with string, words []string) (found []string) {
	seen := map[string]bool{}
	for _, w := range words {
		if strings.HasPrefix(w, with) && !seen[w] && w == oneline.Keep(w, -1) {
			seen[w] = true
			found = append(found, w)
		}
	}
	return found
}
