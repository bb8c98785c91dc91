package main

import (
	"strings"

	"github.com/spf13/cobra"

	"assay"
)

// helpWidth is how wide --help gets, in columns: it is read in pagers, mails
// and narrow windows as well.
const helpWidth = "80"

// addHelp makes cobra's own commands behave like assay's: a word that they do
// not know is an error with a hint and the exit status of wrong usage.
func addHelp(root *cobra.Command) {
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", ".FlagUsagesWrapped "+helpWidth+" "))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, args []string) error { return knownTopic(root, args) }
		case "completion":
			for _, shell := range c.Commands() {
				shell.Args = exactly(shell.Args)
			}
			c.Args = cobra.ArbitraryArgs
			c.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return unknownWord(cmd, "shell", args[0])
				}
				return cmd.Help()
			}
		}
	}
}

// knownTopic refuses help about a command that there is not.
func knownTopic(root *cobra.Command, args []string) error {
	about, rest, err := root.Find(args)
	if err == nil && len(rest) > 0 && about.HasSubCommands() {
		return unknownWord(about, "command", rest[0])
	}
	return err
}

// unknownWord names the subcommand of cmd that was probably meant; kind is what
// its subcommands are.
func unknownWord(cmd *cobra.Command, kind, word string) error {
	var known []string
	for _, c := range cmd.Commands() {
		known = append(known, c.Name())
	}
	hint := didYouMean(word, known)
	if hint == "" {
		hint = "see " + cmd.CommandPath() + " --help"
	}
	return usage(assay.WithHint(hint, "unknown %s %q", kind, word))
}
