package garage

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
// names is started. The secrets in it open nothing but the lab.
type state struct {
	ID        string  `json:"id"` // marks the lab's processes, in their environment
	Options   Options `json:"options"`
	Nodes     []node  `json:"nodes"`
	RPCSecret string  `json:"rpc_secret"`
	Token     string  `json:"token"` // of the admin API
	Ready     bool    `json:"ready"` // everything was made
}

// node is one garage process.
type node struct {
	Name  string `json:"name"`
	S3    int    `json:"s3"` // ports on 127.0.0.1
	RPC   int    `json:"rpc"`
	Admin int    `json:"admin"`
	Key   string `json:"key,omitempty"` // what the node is called in the cluster
}

const (
	stateFile = "garage.json"
	nodesDir  = "nodes" // NAME.toml, NAME.log, NAME/{meta,data}
)

// randomHex gives n random bytes in hexadecimal.
func randomHex(n int) string {
	b := make([]byte, n)
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
	if len(s.ID) != 16 || len(s.Nodes) == 0 {
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
	for _, name := range []string{nodesDir, stateFile + ".new", stateFile} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}
