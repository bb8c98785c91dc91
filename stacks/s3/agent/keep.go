package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/internal/lazyregexp"
	"assay/stacks/s3/loadgen"
)

// What is kept between jobs, in the agent's directory.
const (
	storeFile = "store.json" // the store with its keys, mode 0600
	bookFile  = ".book.json" // after the name of a set
)

// Untouched is a file that whoever pushed the agent for Make puts beside it. While
// it exists, Make has created nothing, and has not learned whether others had.
const Untouched = "untouched"

// begin removes that file. It fails if the directory has gone meanwhile:
// whoever removed it saw that nothing had been created.
func begin(dir string) error {
	err := os.Remove(filepath.Join(dir, Untouched))
	if errors.Is(err, fs.ErrNotExist) {
		_, err = os.Stat(dir)
	}
	return err
}

// setName matches valid names of a set: they become a file and a prefix.
var setName = lazyregexp.New(`^[a-z0-9][a-z0-9.-]{0,100}$`)

// readStore reads what Make left. If there is nothing, the error wraps
// fs.ErrNotExist.
func readStore(dir string) (*Store, error) {
	if dir == "" {
		return nil, fs.ErrNotExist
	}
	text, err := os.ReadFile(filepath.Join(dir, storeFile))
	if err != nil {
		return nil, err
	}
	s := new(Store)
	if json.Unmarshal(text, s) != nil || s.Keys == nil {
		return nil, fmt.Errorf("%s cannot be read", filepath.Join(dir, storeFile))
	}
	return s, nil
}

// writeStore saves the store and its keys for later jobs, but no admin token:
// they need none.
func writeStore(dir string, s Store) error {
	s.Garage = nil
	return write(filepath.Join(dir, storeFile), s)
}

// write atomically replaces a file with one that only its owner may read.
func write(path string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	part := path + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(part, text, 0o600); err != nil {
		return err
	}
	return os.Rename(part, path)
}

// book is what is known about a set of objects, and how many of them stay when
// space runs short: those that were laid out, not what a load wrote besides.
type book struct {
	loadgen.Book
	Keep int `json:"keep"`
}

// readBooks reads what is known about all sets, by name.
func readBooks(dir string) (map[string]*book, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*"+bookFile))
	if err != nil {
		return nil, err
	}
	all := map[string]*book{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		b := new(book)
		if err := json.Unmarshal(text, b); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all[strings.TrimSuffix(filepath.Base(path), bookFile)] = b
	}
	return all, nil
}

func writeBook(dir, set string, b book) error {
	return write(filepath.Join(dir, set+bookFile), b)
}
