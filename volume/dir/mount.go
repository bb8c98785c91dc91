package dir

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay"
)

// isMount refuses a directory that is not a mount point.
func isMount(ctx context.Context, at assay.Place, directory string) error {
	out, err := at.Run(ctx, command("cat", "/proc/self/mountinfo"))
	if err != nil {
		return fmt.Errorf("read the mounts of %s: %w", at.Host().Name, err)
	}
	points := mountPoints(string(out.Stdout))
	switch {
	case out.Exit != 0 || len(points) == 0:
		return fmt.Errorf("read the mounts of %s: %w", at.Host().Name, assay.ErrNoOutput)
	case !slices.Contains(points, directory):
		return assay.WithHint("check the volumes of the pod: without a mount this measures the container's own layer",
			"directory %s on %s: %w as a mount point", directory, at.Host().Name, assay.ErrNotFound)
	}
	return nil
}

// mountPoints returns the fifth field of each line of mountinfo; see proc(5).
func mountPoints(info string) []string {
	var all []string
	for line := range strings.Lines(info) {
		if f := strings.Fields(line); len(f) > 4 {
			all = append(all, unescape.Replace(f[4]))
		}
	}
	return all
}

// unescape undoes the kernel's escaping of the four characters that would end a
// word or a line.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
