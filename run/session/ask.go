package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay"
	"assay/inventory"
	"assay/inventory/cluster"
	"assay/inventory/cluster/starter"
	"assay/inventory/survey"
	placeall "assay/place/all"
	"assay/place/record"
	probeall "assay/probe/all"
)

// Recordings says whether hosts answer over SSH, or from recordings.
type Recordings struct {
	Record string // an empty directory, to record each host in as HOST.jsonl
	Replay string // such a directory, used in place of the hosts
}

// AskHosts collects the facts of hosts of a cluster, concurrently. The Answer of a host
// that does not respond holds the reason. Hosts that are made for a run are left out.
func AskHosts(ctx context.Context, c cluster.Cluster, hosts []cluster.Host, by Recordings) ([]survey.Answer, error) {
	open, err := by.opener(c, NewRunID(time.Now()))
	if err != nil {
		return nil, err
	}
	hosts, _ = cluster.Standing(hosts)
	answers := survey.Ask(ctx, hosts, open, survey.Options{Tools: neededTools(assay.Linux, assay.LinuxAndWindows), WindowsTools: neededTools(assay.WindowsAlone)})
	return answers, ctx.Err()
}

// Here is this machine's name among the hosts.
func Here() string { return thisHost() }

// AskHere collects the facts of this machine.
func AskHere(ctx context.Context) (assay.Facts, error) {
	at := placeall.Local(thisHost(), NewRunID(time.Now()))
	defer at.Close()
	inv, err := inventory.Gather(ctx, []assay.Place{at}, nil, neededTools(assay.Linux, assay.LinuxAndWindows))
	return inv.Facts[thisHost()], err
}

// AskTargets collects the facts of hosts that are not in a cluster.yaml yet,
// concurrently, and names them. config is the absolute path of the ssh configuration
// to use, "" for the user's. The answers contain the targets as typed.
func AskTargets(ctx context.Context, targets []starter.Target, config string, by Recordings) ([]starter.Found, []survey.Answer, error) {
	mark := NewRunID(time.Now())
	open, err := by.opener(cluster.Cluster{}, mark)
	if err != nil {
		return nil, nil, err
	}
	found, err := findWays(ctx, targets, config, mark)
	if err != nil {
		return nil, nil, err
	}
	hosts := make([]cluster.Host, len(found))
	for i, f := range found {
		hosts[i] = f.Target.Host(config)
	}
	answers := survey.Ask(ctx, hosts, open, survey.Options{Mounts: true})
	for i, answer := range answers {
		found[i].Answer = answer
	}
	starter.Name(found)
	return found, answers, ctx.Err()
}

// findWays asks ssh on this machine how it reaches each target.
func findWays(ctx context.Context, targets []starter.Target, config, mark string) ([]starter.Found, error) {
	here := placeall.Local(thisHost(), mark)
	defer here.Close()
	found := make([]starter.Found, len(targets))
	for i, t := range targets {
		way, err := t.Resolve(ctx, here, config)
		if err != nil {
			return nil, err
		}
		found[i] = starter.Found{Target: t, Way: way}
	}
	return found, nil
}

// opener returns a function that opens the place of a host. Every command there
// carries mark.
func (r Recordings) opener(c cluster.Cluster, mark string) (survey.Opener, error) {
	if r.Record != "" && r.Replay != "" {
		return nil, invalidf("cannot record a replay")
	}
	if r.Record != "" {
		if err := os.MkdirAll(r.Record, 0o700); err != nil {
			return nil, invalidf("record to a directory: %w", err)
		}
		if there, err := os.ReadDir(r.Record); err != nil || len(there) > 0 {
			return nil, invalid(assay.WithHint("give another directory", "record to %s: directory not empty", r.Record))
		}
	}
	return func(h cluster.Host) (assay.Place, error) {
		if r.Replay != "" {
			return replayedHost(filepath.Join(r.Replay, h.Name+".jsonl"))
		}
		at, err := placeOf(c, h, mark)
		if err != nil || r.Record == "" {
			return at, err
		}
		tape, err := os.OpenFile(filepath.Join(r.Record, h.Name+".jsonl"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("record to a new file: %w", err)
		}
		return &taped{record.New(at, tape), tape}, nil
	}, nil
}

func replayedHost(file string) (assay.Place, error) {
	at, err := replayed(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no recording %s", file)
	}
	return at, err
}

// taped is a place that is recorded to its own file.
type taped struct {
	assay.Place
	tape io.Closer
}

// Close closes the place and its recording.
func (t *taped) Close() error {
	err := t.Place.Close()
	if terr := t.tape.Close(); err == nil {
		err = terr
	}
	return err
}

// neededTools returns the programs that the probes for hosts with such systems
// cannot measure without: their versions are worth comparing.
func neededTools(systems ...assay.Systems) []string {
	var names []string
	for _, p := range probeall.Probes() {
		spec := p.Spec()
		if !slices.Contains(systems, spec.Systems) {
			continue
		}
		for _, t := range spec.Tools {
			if !t.Optional {
				names = append(names, t.Name)
			}
		}
	}
	return names
}
