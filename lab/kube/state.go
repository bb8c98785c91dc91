package kube

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"assay"
)

// state is what must be known to take a lab down. It is on disk before what it
// names is made.
type state struct {
	ID    string `json:"id"`    // marks the lab's processes, control groups and loop devices
	Octet int    `json:"octet"` // the addresses are 10.Octet.0.0/16
	Nodes int    `json:"nodes"`
	Ready bool   `json:"ready"` // everything was made
	Cable int    `json:"cable"` // index of this machine's interface; 0 not made yet
}

// The files of a lab.
const (
	stateFile = "kube.json"
	hostsDir  = "hosts" // NAME: a mount point; NAME.img, .sh, .log; NAME.etc, NAME.logs: directories
	pkiDir    = "pki"   // NAME.crt, NAME.key
	usersDir  = "users" // NAME.kubeconfig
)

func newID() string {
	b := make([]byte, 6)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

// readState gives fs.ErrNotExist where there is no lab in dir.
func readState(dir string) (state, error) {
	var s state
	file := filepath.Join(dir, stateFile)
	b, err := os.ReadFile(file)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	if len(s.ID) != 12 || s.Nodes < 1 {
		return s, fmt.Errorf("%s is not of a lab", file)
	}
	return s, nil
}

// write replaces the state file in one step.
func (s state) write(dir string) error {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	next := filepath.Join(dir, stateFile+".new")
	if err := os.WriteFile(next, append(b, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(next, filepath.Join(dir, stateFile))
}

// lockBound is how long another program is waited for.
const lockBound = 3 * time.Second

// lock makes one program at a time change the lab in dir. The kernel takes the
// lock back when the program ends.
func lock(dir string) (unlock func(), err error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	for syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		if time.Since(began) < lockBound {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		_ = d.Close()
		return nil, fmt.Errorf("%s: %w by another program that brings it up or down", dir, assay.ErrBusy)
	}
	return func() { _ = d.Close() }, nil
}

// makeDir makes the lab's directory, and refuses one that holds something else.
func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, stateFile)); len(entries) > 0 && errors.Is(err, fs.ErrNotExist) {
		return assay.WithHint("name an empty directory, or one that does not exist",
			"%s holds something else than a lab: %s", dir, entries[0].Name())
	}
	return nil
}

// removeFiles removes the lab's files, the state last.
func removeFiles(dir string) error {
	for _, name := range []string{hostsDir, pkiDir, usersDir, stateFile + ".new", stateFile} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
