package home

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"assay"
)

// Home is the directory of a lab.
type Home struct {
	Dir   string   // absolute
	State string   // name of the state file
	Files []string // the lab's other files and directories there
}

// NewID returns n random bytes in hexadecimal.
func NewID(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

// Cache returns the directory shared by all labs of this user, for what is
// built or downloaded once.
func Cache() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "assay-lab"), err
}

func (h Home) stateFile() string { return filepath.Join(h.Dir, h.State) }

// Read reads the state. It returns fs.ErrNotExist if there is no lab.
func (h Home) Read(state any) error {
	b, err := os.ReadFile(h.stateFile())
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, state); err != nil {
		return fmt.Errorf("%s: %w", h.stateFile(), err)
	}
	return nil
}

// Foreign returns the error for a state file that is not a lab's.
func (h Home) Foreign() error { return fmt.Errorf("%s is not of a lab", h.stateFile()) }

// Write replaces the state atomically.
func (h Home) Write(state any) error {
	b, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		return err
	}
	next := h.stateFile() + ".new"
	if err := os.WriteFile(next, append(b, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(next, h.stateFile())
}

// Enter creates the directory if needed, rejects one that holds something other
// than a lab, and locks it.
func (h Home) Enter() (leave func(), err error) {
	if err := os.MkdirAll(h.Dir, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(h.Dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(h.stateFile()); len(entries) > 0 && errors.Is(err, fs.ErrNotExist) {
		return nil, assay.WithHint("name an empty directory, or one that does not exist",
			"%s holds something else than a lab: %s", h.Dir, entries[0].Name())
	}
	return h.Lock()
}

// Clear removes the lab's files, the state last, and leaves the directory.
func (h Home) Clear() error {
	for _, name := range append(append([]string{}, h.Files...), h.State+".new", h.State) {
		if err := os.RemoveAll(filepath.Join(h.Dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// Abandon removes the directory, if nothing else is in it. takeDown removes an
// existing lab; it is not called if there is none. Abandon is idempotent.
func (h Home) Abandon(takeDown func() error) error {
	unlock, err := h.Lock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Stat(h.stateFile()); err == nil {
		if err := takeDown(); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Remove(h.Dir); err != nil {
		return fmt.Errorf("no lab is left, but its directory is not empty: %w", err)
	}
	return nil
}

// Down takes down the lab in dir, which open reads. dir itself is removed if
// nothing else is in it. Down is idempotent.
func Down[L any](ctx context.Context, dir string, of func(dir string) Home, open func(dir string) (L, error), takeDown func(L, context.Context) error) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	return of(dir).Abandon(func() error {
		l, err := open(dir)
		if err != nil {
			return err
		}
		return takeDown(l, ctx)
	})
}
