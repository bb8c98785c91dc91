package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/inventory"
	placeall "assay/place/all"
	"assay/place/record"
	"assay/place/replay"
	probeall "assay/probe/all"
	"assay/run"
	"assay/run/tiers"
	"assay/store"
)

// session is one look at a machine, or at those of a cluster.
type session struct {
	runID     string
	hosts     []inventory.Asked
	networks  []assay.Network
	resources []assay.Resource
	probes    []assay.Probe
	inventory assay.Inventory
	down      map[string]error // why hosts could not be asked, by name
	cluster   string           // the file that names the hosts; "" for this machine
	tape      io.Closer        // the recording, where one is made
	replay    string           // the recording that answers, where one does: nothing here is touched
	stage     *tiers.Stage     // the tiers of storage that are measured; nil where none are
	journal   *store.Store     // of what is made for them
	keep      bool             // leave what is made for the run
	tried     []run.Released   // what killed runs had left, as far as it was in the way
}

// where are the flags that say what to look at.
type where struct {
	dirs           []string
	cluster        string
	only           []string // hosts, groups and tiers of the cluster, none for all
	record, replay string
	resumed        string        // the run that is gone on with, "" for a new one
	measured       []assay.Tier  // those that it has
	tiers          bool          // the tiers of the cluster, and nothing else of it
	keep           bool          // leave what was made for the run
	lasts          time.Duration // how long the run may take
}

func (w *where) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&w.dirs, "dir", []string{"."}, "directory whose storage is measured; scratch files go there and are removed")
	cmd.Flags().StringVarP(&w.cluster, "inventory", "i", "", "cluster.yaml with the hosts to look at over SSH, instead of this machine")
	cmd.Flags().StringSliceVar(&w.only, "host", nil, "only these hosts or groups of the cluster.yaml; of its tiers those of this name, or what is measured of them on these hosts and nodes")
	cmd.Flags().StringVar(&w.record, "record", "", "record every command and its answer to this file, for bug reports")
	cmd.Flags().StringVar(&w.replay, "replay", "", "answer from such a recording; nothing is run")
}

// open reaches the machines and takes their facts. Of tiers nothing is made yet:
// what there would be is supposed.
func (w *where) open(ctx context.Context) (*session, error) {
	s, err := w.reach()
	if err != nil {
		return nil, err
	}
	look := s.look
	if s.stage != nil {
		look = s.suppose
	}
	if err := look(ctx); err != nil {
		return nil, errors.Join(err, s.close(ctx))
	}
	return s, nil
}

// reach prepares the ways to the machines. None is contacted.
func (w *where) reach() (*session, error) {
	s := &session{runID: newRunID(time.Now()), probes: probeall.Probes(), cluster: w.cluster, keep: w.keep}
	if w.resumed != "" {
		// What this part of the run leaves, if it is killed, is told from what is
		// left of the part before.
		s.runID = w.resumed + "+" + s.runID[len(s.runID)-6:]
	}
	var err error
	switch {
	case w.tiers:
		err = s.openTiers(w)
	case w.cluster != "":
		err = s.openCluster(w)
	default:
		err = s.openLocal(w)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// openLocal reaches this machine, or what stands in for it.
func (s *session) openLocal(w *where) error {
	if len(w.only) > 0 {
		return usage(assay.WithHint("name the file with the hosts with -i", "--host %s: there is no cluster.yaml", strings.Join(w.only, ",")))
	}
	if w.record != "" && w.replay != "" {
		return usage(fmt.Errorf("--record and --replay exclude each other"))
	}
	here := inventory.Asked{}
	for _, d := range w.dirs {
		abs, err := filepath.Abs(d)
		if err != nil {
			return usage(fmt.Errorf("--dir %s: %w", d, err))
		}
		if !slices.Contains(here.Dirs, abs) {
			here.Dirs = append(here.Dirs, abs)
		}
	}
	if w.replay != "" {
		f, err := os.Open(w.replay)
		if err != nil {
			return usage(fmt.Errorf("--replay: %w", err))
		}
		defer f.Close()
		s.replay = w.replay
		if here.Place, err = replay.New(f, w.replay); err != nil {
			return usage(err)
		}
		s.hosts = []inventory.Asked{here}
		return nil
	}
	here.Place = placeall.Local(hostname(), s.runID)
	if w.record != "" {
		f, err := os.OpenFile(w.record, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return usage(fmt.Errorf("--record: %w", err))
		}
		s.tape = f
		here.Place = record.New(here.Place, f)
	}
	s.hosts = []inventory.Asked{here}
	return nil
}

// look takes the facts. A machine that cannot be asked is an error where it is
// the only one; of a cluster the others stand.
func (s *session) look(ctx context.Context) error {
	if err := s.survey(ctx); err != nil {
		return err
	}
	if len(s.hosts) > len(s.down) {
		return nil
	}
	var errs []error
	for _, h := range s.inventory.Hosts {
		errs = append(errs, s.down[h.Name])
	}
	return errors.Join(errs...)
}

// survey takes the facts of those that can be asked.
func (s *session) survey(ctx context.Context) error {
	inv, down, err := inventory.Survey(ctx, s.hosts, s.toolNames())
	if err != nil {
		return err
	}
	inv.Networks, inv.Resources = s.networks, s.resources
	if s.stage != nil && len(s.hosts) > len(down) {
		s.stage.Complete(ctx, &inv)
	}
	if inv.File, err = s.file(); err != nil {
		return err
	}
	inv.Subjects = append(inv.Subjects, inventory.Links(inv)...)
	s.inventory, s.down = inv, down
	return nil
}

// file is the cluster.yaml as an absolute path, "" where there is none.
func (s *session) file() (string, error) {
	if s.cluster == "" {
		return "", nil
	}
	return filepath.Abs(s.cluster)
}

// checkDirs refuses directories that nothing can be written in. One of a tier costs
// that tier alone.
func (s *session) checkDirs() error {
	if s.stage != nil {
		return nil
	}
	for _, h := range s.hosts {
		f, asked := s.inventory.Facts[h.Place.Host().Name]
		if !asked {
			continue
		}
		for _, dir := range h.Dirs {
			d := f.Dir(dir)
			switch {
			case d == nil:
				continue
			case !d.Exists:
				return usage(assay.WithHint("create it, or name another "+s.dirWord(), "directory %s on %s: %w", dir, f.Host, assay.ErrNotFound))
			case !d.Writable && s.cluster == "":
				return usage(assay.WithHint("name another with --dir, or run as a user who may write there", "directory %s on %s is %w", dir, f.Host, assay.ErrReadOnly))
			}
		}
	}
	return nil
}

// dirWord says where directories are named.
func (s *session) dirWord() string {
	if s.cluster != "" {
		return "under measure: in " + s.cluster
	}
	return "with --dir"
}

// places are the hosts that answered, by name.
func (s *session) places() map[string]assay.Place {
	all := map[string]assay.Place{}
	for _, h := range s.hosts {
		if name := h.Place.Host().Name; s.down[name] == nil {
			all[name] = h.Place
		}
	}
	return all
}

// isPod says whether a host is a pod of this run.
func (s *session) isPod(host string) bool {
	return s.stage != nil && slices.Contains(s.stage.Pods(), host)
}

// downLine is a host that could not be asked, as JSON has it.
type downLine struct {
	Host string `json:"host"`
	Why  string `json:"why"`
	Hint string `json:"hint,omitempty"`
}

// downLines are the hosts that could not be asked, in the cluster's order.
func (s *session) downLines() []downLine {
	lines := []downLine{}
	for _, h := range s.inventory.Hosts {
		if err := s.down[h.Name]; err != nil {
			lines = append(lines, downLine{h.Name, err.Error(), assay.Hint(err)})
		}
	}
	return lines
}

func (s *session) toolNames() []string {
	var names []string
	for _, p := range s.probes {
		for _, t := range p.Spec().Tools {
			if !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

// close leaves the machines, and takes away what was made for the run, also after
// ctx was cancelled.
func (s *session) close(ctx context.Context) error {
	var err error
	if s.stage != nil {
		err = s.lower(ctx)
	} else {
		for _, h := range s.hosts {
			err = errors.Join(err, h.Place.Close())
		}
	}
	if s.tape != nil {
		if terr := s.tape.Close(); err == nil {
			err = terr
		}
	}
	return err
}

// newRunID is sortable, readable, and no two are alike.
func newRunID(now time.Time) string {
	var b [3]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return now.UTC().Format("20060102-150405-") + hex.EncodeToString(b[:])
}

// hostname names this machine.
func hostname() string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		return "localhost"
	}
	return host
}
