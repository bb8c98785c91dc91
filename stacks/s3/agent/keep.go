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

// What is kept from job to job, in the agent's directory.
const (
	storeFile = "store.json" // the store with its keys, mode 0600
	bookFile  = ".book.json" // after the name of a set
)

// Untouched is a file that whoever pushed the agent for Make puts beside it. While
// it is there Make has made nothing, nor has it known whether others had.
const Untouched = "untouched"

// begin takes that file away. It is an error where the directory has gone
// meanwhile: whoever took it away has seen that nothing was made.
func begin(dir string) error {
	err := os.Remove(filepath.Join(dir, Untouched))
	if errors.Is(err, fs.ErrNotExist) {
		_, err = os.Stat(dir)
	}
	return err
}

// setName is what may name a set: it becomes a file and a prefix.
var setName = lazyregexp.New(`^[a-z0-9][a-z0-9.-]{0,100}$`)

// readStore reads what Make left. Where there is nothing, the error wraps
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

// writeStore keeps the store and its keys for the jobs to come, but no admin
// token: they need none.
func writeStore(dir string, s Store) error {
	s.Garage = nil
	return write(filepath.Join(dir, storeFile), s)
}

// write makes a file anew that only its owner may read, whole or not at all.
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

// book is what is known of a set of objects, and how many of them are to stay
// when room gets short: those that were laid out, and not what a load wrote
// beside them.
type book struct {
	loadgen.Book
	Keep int `json:"keep"`
}

// readBooks reads what is known of all sets, by their names.
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
