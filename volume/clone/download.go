package clone

import (
	"context"
	_ "embed" // the script
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	hypervisors "assay/internal/hypervisor"
)

//go:embed fetch.sh
var fetchScript string

// fetching bounds the download of an image; a stalled one ends much earlier.
const fetching = time.Hour

// Exit codes of fetch.sh.
const (
	noDownloader = 80
	tooLarge     = 81
)

// download has a host download the URL, and at most that many bytes. put is a shell
// function that stores stdin where words say.
func download(ctx context.Context, at assay.Place, put, url string, most int64, words ...string) error {
	const room = "free some space there, or lower disk: or count:"
	if most <= 0 {
		return assay.WithHint(room, "%w beside the disks of the run's guests and what assay keeps free", assay.ErrNoSpace)
	}
	// The URL goes through stdin: other users of the host can read arguments.
	out, err := at.Run(ctx, assay.Cmd{
		Argv: append([]string{"sh", "-c", put + fetchScript, "sh", strconv.FormatInt(most, 10)}, words...), Env: []string{"LC_ALL=C"}, Stdin: []byte(url + "\n"), Timeout: fetching,
	})
	switch {
	case err != nil || out.Exit == 0:
		return err
	case out.Exit == noDownloader:
		return assay.WithHint("install curl there, or download the image yourself and name its path", "the host has neither curl nor wget: %w", assay.ErrNotFound)
	case out.Exit == tooLarge:
		return assay.WithHint(room, "%w: it is larger than the %d MiB that are left beside the disks of the run's guests and what assay keeps free", assay.ErrNoSpace, most>>20)
	}
	return assay.WithHint("the host downloads it, not this machine: see whether it can reach the server", "%.400s (exit status %d)", said(out), out.Exit)
}

// digest returns the first word that a command prints.
func digest(ctx context.Context, at assay.Place, c assay.Cmd) (string, error) {
	c.Env, c.Timeout = []string{"LC_ALL=C"}, hypervisors.Patience
	out, err := at.Run(ctx, c)
	word, _, _ := strings.Cut(strings.TrimSpace(string(out.Stdout)), " ")
	if err == nil && (out.Exit != 0 || word == "") {
		err = fmt.Errorf("its digest is not known: %.400s (exit status %d)", said(out), out.Exit)
	}
	return word, err
}

// said returns a command's stderr as one line.
func said(out assay.Output) string {
	return strings.ReplaceAll(strings.TrimSpace(string(out.Stderr)), "\n", ": ")
}

// lookBridge refuses a bridge that the host does not have.
func lookBridge(ctx context.Context, at assay.Place, bridge string) error {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"test", "-d", "/sys/class/net/" + bridge}})
	if err == nil && out.Exit != 0 {
		err = assay.WithHint("ip link show type bridge lists those of a host", "%s has no bridge %s: %w", at.Host().Name, bridge, assay.ErrNotFound)
	}
	return err
}
