package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay"
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
		Short: "Write a cluster.yaml to begin with, asking each host what it has",
		Long: "init asks each host, by its name in ~/.ssh/config or by its address, what it\n" +
			"has. It writes a cluster.yaml: the hosts, the networks that join them, and as\n" +
			"comments what of them could be measured. It never replaces a file.",
		Example: "  assay init pve1 pve2 pve3 -o cluster.yaml\n  assay init root@10.0.0.1 root@10.0.0.2\n  assay init --schema > cluster.schema.json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema {
				_, err := a.stdout.Write(session.ClusterSchema())
				return err
			}
			if len(args) == 0 {
				return usage(assay.WithHint("as in assay init pve1 pve2 -o cluster.yaml", "%s: name a host", cmd.CommandPath()))
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
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write; one that is there is never replaced")
	cmd.Flags().StringVar(&config, "ssh-config", "", "ssh configuration to use instead of ~/.ssh/config")
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of cluster.yaml and end")
	by.flags(cmd)
	return cmd
}

// refuseToReplace tells of a file that is there before any host is asked.
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
	return usage(assay.WithHint("name another file, or remove this one", "-o %s: %w", file, fs.ErrExist))
}

// publishStarter prints or writes the starter, after reading it as assay will.
func (a *app) publishStarter(text []byte, file string, found []starter.Found) error {
	if _, err := session.ParseCluster("the starter", text); err != nil {
		return fmt.Errorf("what these hosts say of themselves contradicts itself: %w", err)
	}
	if file != "" && file != "-" {
		if err := writeNew(file, text); err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "%s written: %s\n", file, plural(len(found), "host"))
		return nil
	}
	switch a.format {
	case formatJSON:
		return writeJSON(a.stdout, map[string]any{"hosts": len(found), "yaml": string(text)})
	case formatMarkdown:
		_, err := fmt.Fprintf(a.stdout, "```yaml\n%s```\n", text)
		return err
	default:
		_, err := a.stdout.Write(text)
		return err
	}
}

// writeNew writes the whole file or none of it, and never over another.
func writeNew(file string, text []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(file), ".assay-init-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(text)
	if cerr := temporary.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(temporary.Name(), 0o644) //nolint:gosec // a cluster.yaml holds no secret
	}
	if err == nil {
		err = os.Link(temporary.Name(), file) // fails where the name is taken; a rename would replace
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return nil
}

// starterStatus names what could not be queried. The file stands: the host is in
// it.
func starterStatus(a *app, answers []survey.Answer) error {
	failed := false
	for _, answer := range answers {
		if answer.Err != nil {
			failed = true
			fmt.Fprintf(a.stderr, "note: %s could not be queried: %s\n", answer.Host.Name, answer.Reason())
		}
	}
	if !failed {
		return nil
	}
	a.hintHosts(answers)
	return &statusError{exitPartial, nil}
}
