package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is set by the linker: -X main.release=v1.2.3.
var release = ""

// ownVersion returns the release, or the commit it was built from.
func ownVersion() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return s.Value[:12]
			}
		}
	}
	return "unreleased"
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  exactly(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			if a.format == formatJSON {
				return a.stdout.json(map[string]string{
					"version": ownVersion(), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
				})
			}
			err := a.stdout.say("assay %s (%s, %s/%s)\n", ownVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
