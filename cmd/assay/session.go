package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/inventory"
	placeall "assay/place/all"
	"assay/place/record"
	"assay/place/replay"
	probeall "assay/probe/all"
)

// session is one look at a machine: its place and its inventory.
type session struct {
	runID     string
	place     assay.Place
	probes    []assay.Probe
	inventory assay.Inventory
	dirs      []string
	tape      io.Closer // the recording, where one is made
	replay    string    // the recording that answers, where one does: nothing here is touched
}

// where are the flags that say what to look at.
type where struct {
	dirs           []string
	record, replay string
}

func (w *where) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&w.dirs, "dir", []string{"."}, "directory whose storage is measured; scratch files go there and are removed")
	cmd.Flags().StringVar(&w.record, "record", "", "record every command and its answer to this file, for bug reports")
	cmd.Flags().StringVar(&w.replay, "replay", "", "answer from such a recording; nothing is run")
}

// open reaches the machine and takes its facts.
func (w *where) open(ctx context.Context) (*session, error) {
	s := &session{runID: newRunID(time.Now()), probes: probeall.Probes()}
	for _, d := range w.dirs {
		abs, err := filepath.Abs(d)
		if err != nil {
			return nil, usage(fmt.Errorf("--dir %s: %w", d, err))
		}
		if !slices.Contains(s.dirs, abs) {
			s.dirs = append(s.dirs, abs)
		}
	}
	if err := s.openPlace(w); err != nil {
		return nil, err
	}
	return s, s.look(ctx)
}

func (s *session) openPlace(w *where) error {
	if w.record != "" && w.replay != "" {
		return usage(fmt.Errorf("--record and --replay exclude each other"))
	}
	if w.replay != "" {
		f, err := os.Open(w.replay)
		if err != nil {
			return usage(fmt.Errorf("--replay: %w", err))
		}
		defer f.Close()
		s.replay = w.replay
		if s.place, err = replay.New(f, w.replay); err != nil {
			return usage(err)
		}
		return nil
	}
	s.place = placeall.Kinds[0].Open(hostname(), s.runID)
	if w.record != "" {
		f, err := os.OpenFile(w.record, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return usage(fmt.Errorf("--record: %w", err))
		}
		s.tape = f
		s.place = record.New(s.place, f)
	}
	return nil
}

// look takes the facts.
func (s *session) look(ctx context.Context) error {
	var err error
	s.inventory, err = inventory.Gather(ctx, []assay.Place{s.place}, s.dirs, s.toolNames())
	if err != nil {
		return err
	}
	return nil
}

// checkDirs refuses directories that nothing can be written in.
func (s *session) checkDirs() error {
	f := s.facts()
	for _, dir := range s.dirs {
		d := f.Dir(dir)
		switch {
		case d == nil:
			continue
		case !d.Exists:
			return usage(assay.WithHint("create it, or name another with --dir", "directory %s on %s: %w", dir, f.Host, assay.ErrNotFound))
		case !d.Writable:
			return usage(assay.WithHint("name another with --dir, or run as a user who may write there", "directory %s on %s is %w", dir, f.Host, assay.ErrReadOnly))
		}
	}
	return nil
}

func (s *session) facts() assay.Facts { return s.inventory.Facts[s.place.Host().Name] }

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

func (s *session) close() error {
	err := s.place.Close()
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
