package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/prose"
	"assay/inventory/cluster/starter"
	"assay/inventory/survey"
	"assay/run/session"
)

func (a *app) initCommand() *cobra.Command {
	var file, config string
	var schema bool
	var by reach
	cmd := &cobra.Command{
		Use:   "init [USER@]HOST...",
		Short: "Create a starter cluster.yaml from the hardware of each host",
		Long: "init queries each host, named as in ~/.ssh/config or by address, and writes a\n" +
			"cluster.yaml with the hosts, the networks between them and, as comments, what\n" +
			"could be measured on them. It never overwrites a file.",
		Example: "  assay init pve1 pve2 pve3 -o cluster.yaml\n  assay init root@10.0.0.1 root@10.0.0.2\n  assay init --schema > cluster.schema.json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema {
				return a.stdout.lines(session.ClusterSchema())
			}
			if len(args) == 0 {
				return usage(assay.WithHint("assay init pve1 pve2 -o cluster.yaml", "%s: no host given", cmd.CommandPath()))
			}
			targets, err := starter.ParseTargets(args)
			if err != nil {
				return usage(err)
			}
			if err := by.check(); err != nil {
				return err
			}
			if err := refuseToReplace(file); err != nil {
				return err
			}
			if config != "" {
				if config, err = filepath.Abs(config); err != nil {
					return usage(fmt.Errorf("--ssh-config: %w", err))
				}
			}
			found, answers, err := session.AskTargets(cmd.Context(), targets, config, by.Recordings)
			if err != nil {
				return err
			}
			if err := a.publishStarter(starter.Write(found, config), file, found); err != nil {
				return err
			}
			return starterStatus(a, answers)
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write; an existing file is never overwritten")
	cmd.Flags().StringVar(&config, "ssh-config", "", "SSH configuration file to use instead of ~/.ssh/config")
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of cluster.yaml and exit")
	by.flags(cmd)
	return cmd
}

// refuseToReplace reports an existing file before any host is queried.
func refuseToReplace(file string) error {
	if file == "" || file == "-" {
		return nil
	}
	_, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		_, err = os.Stat(filepath.Dir(file))
		if err == nil {
			return nil
		}
	}
	if err != nil {
		return usage(fmt.Errorf("-o %s: %w", file, err))
	}
	return usage(assay.WithHint("give another file, or remove this one", "-o %s: %w", file, fs.ErrExist))
}

// publishStarter prints or writes the starter, after parsing it as assay will.
func (a *app) publishStarter(text []byte, file string, found []starter.Found) error {
	if _, err := session.ParseCluster("the starter", text); err != nil {
		return fmt.Errorf("these hosts report contradictory facts: %w", err)
	}
	if file != "" && file != "-" {
		if err := writeNew(file, text); err != nil {
			return err
		}
		a.stderr.say("%s written: %s\n", file, prose.Plural(len(found), "host"))
		return nil
	}
	switch a.format {
	case formatJSON:
		return a.stdout.json(map[string]any{"hosts": len(found), "yaml": string(text)})
	case formatMarkdown:
		return a.stdout.lines(fmt.Appendf(nil, "```yaml\n%s```", text))
	default:
		return a.stdout.lines(text)
	}
}

// writeNew writes the whole file or none of it, and never replaces another.
func writeNew(file string, text []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(file), ".assay-init-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(text)
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Close()) // it holds no secret
	if err == nil {
		err = os.Link(temporary.Name(), file) // fails if the name is taken; a rename would replace it
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

// starterStatus lists what could not be queried. The file stands: it contains
// the host.
func starterStatus(a *app, answers []survey.Answer) error {
	failed := false
	for _, answer := range answers {
		if answer.Err != nil {
			failed = true
			a.stderr.say("note: %s could not be queried: %s\n", answer.Host.Name, answer.Reason())
		}
	}
	if !failed {
		return nil
	}
	a.hintHosts(answers)
	return &statusError{exitPartial, nil}
}
