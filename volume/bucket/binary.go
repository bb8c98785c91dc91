package bucket

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"assay"
)

// binary is a program as it is pushed.
type binary struct {
	plain, packed []byte
	sha256        string
}

// binaries are the agents for each architecture, read and packed once.
type binaries struct {
	mu  sync.Mutex
	all map[string]*binary
}

// architectures maps the output of uname -m to Go's names.
var architectures = map[string]string{"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}

// fit returns the program for a host: this very one, or the one beside it for
// another architecture.
func (b *binaries) fit(system, machine string) (*binary, error) {
	arch := architectures[machine]
	if system != "Linux" || arch == "" {
		return nil, fmt.Errorf("no assay binary for %s on %s: there are binaries for Linux on x86_64 and aarch64", system, machine)
	}
	own, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find assay's own binary: %w", err)
	}
	path := own
	if arch != runtime.GOARCH || runtime.GOOS != "linux" {
		path = filepath.Join(filepath.Dir(own), "assay-linux-"+arch)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if known := b.all[path]; known != nil {
		return known, nil
	}
	read, err := pack(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, assay.WithHint("make dist builds it; put it beside "+own, "no assay binary for %s: %s is missing", machine, path)
	}
	if err != nil {
		return nil, err
	}
	if b.all == nil {
		b.all = map[string]*binary{}
	}
	b.all[path] = read
	return read, nil
}

// largest returns the space that a program may take, in bytes: all
// architectures have similar sizes.
func (b *binaries) largest() int64 {
	own, err := os.Executable()
	if err != nil {
		return 0
	}
	info, err := os.Stat(own)
	if err != nil {
		return 0
	}
	return info.Size() * 5 / 4
}

func pack(path string) (*binary, error) {
	plain, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(plain)
	return &binary{plain: plain, packed: packed.Bytes(), sha256: hex.EncodeToString(sum[:])}, nil
}
