package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/nearest"
)

// helpWidth is the width of --help in columns: it is also read in pagers, mails
// and narrow windows.
const helpWidth = 80

// addHelp makes cobra's own commands behave like assay's: an unknown word is an
// error with a hint and the exit status of wrong usage.
func addHelp(root *cobra.Command) {
	root.SetUsageFunc(writeUsage)
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

// writeUsage prints cobra's own usage, with flags wrapped. (A usage template would
// wrap them too, but makes the linker keep every exported method of the program.)
func writeUsage(c *cobra.Command) error {
	var parts []string
	part := func(title string, lines ...string) {
		if text := strings.TrimRight(strings.Join(lines, "\n"), " \n"); text != "" {
			parts = append(parts, title+":\n"+text)
		}
	}
	part("Usage", usageLines(c)...)
	part("Aliases", aliasLine(c))
	part("Examples", c.Example)
	part("Available Commands", commandLines(c)...)
	part("Flags", c.LocalFlags().FlagUsagesWrapped(helpWidth))
	part("Global Flags", c.InheritedFlags().FlagUsagesWrapped(helpWidth))
	if c.HasAvailableSubCommands() {
		parts = append(parts, fmt.Sprintf("Use %q for more information about a command.", c.CommandPath()+" [command] --help"))
	}
	_, err := fmt.Fprintln(c.OutOrStderr(), strings.Join(parts, "\n\n"))
	return err
}

func usageLines(c *cobra.Command) (lines []string) {
	if c.Runnable() {
		lines = append(lines, "  "+c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		lines = append(lines, "  "+c.CommandPath()+" [command]")
	}
	return lines
}

func aliasLine(c *cobra.Command) string {
	if len(c.Aliases) == 0 {
		return ""
	}
	return "  " + c.NameAndAliases()
}

func commandLines(c *cobra.Command) (lines []string) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			lines = append(lines, fmt.Sprintf("  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short))
		}
	}
	return lines
}

// knownTopic rejects help about an unknown command.
func knownTopic(root *cobra.Command, args []string) error {
	about, rest, err := root.Find(args)
	if err == nil && len(rest) > 0 && about.HasSubCommands() {
		return unknownWord(about, "command", rest[0])
	}
	return err
}

// unknownWord suggests the subcommand of cmd that was probably meant; kind is
// what its subcommands are.
func unknownWord(cmd *cobra.Command, kind, word string) error {
	var known []string
	for _, c := range cmd.Commands() {
		known = append(known, c.Name())
	}
	hint := nearest.Hint(word, known)
	if hint == "" {
		hint = "see " + cmd.CommandPath() + " --help"
	}
	return usage(assay.WithHint(hint, "unknown %s %q", kind, word))
}
