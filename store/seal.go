package store

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"assay"
)

// The journal is authority: what a receipt names is removed with the user's rights,
// keys and tokens. Whoever can write to the database must not gain that authority, so
// every receipt carries a seal: an HMAC-SHA256 with a key that this user has on this
// machine and that no database holds. A receipt without a valid seal is shown but
// never acted on.

// keySize is the key's length in bytes, which is also the most that the MAC can
// use.
const keySize = 32

// keyFile returns the path of the key: below $XDG_STATE_HOME, or else below the
// home directory.
func keyFile() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "assay", "journal.key"), nil
	}
	const below = ".local/state/assay/journal.key"
	home := os.Getenv("HOME")
	if file := filepath.Join(home, below); filepath.IsAbs(home) && isOwn(file) {
		return file, nil // it has sealed receipts, whosever the directory is
	}
	home, err := keyHome(home, user.Current)
	if err != nil {
		return "", err
	}
	return filepath.Join(home, below), nil
}

// keyHome returns the home directory for the key: HOME, unless it is another user's, as
// with sudo -E, and the one in the user database is this user's.
func keyHome(home string, current func() (*user.User, error)) (string, error) {
	set := filepath.IsAbs(home)
	if set && !isOthers(home) {
		return home, nil
	}
	u, err := current()
	switch {
	case !set && err != nil:
		return "", err
	case !set || err == nil && isOwn(u.HomeDir):
		return u.HomeDir, nil
	}
	return home, nil // in a container, it may be root's, and the only one
}

// isOthers reports whether a directory belongs to another user.
func isOthers(dir string) bool {
	uid, err := uidOf(dir)
	return err == nil && uid != uint32(os.Geteuid())
}

// isOwn reports whether a file or directory exists and belongs to this user.
func isOwn(path string) bool {
	uid, err := uidOf(path)
	return err == nil && uid == uint32(os.Geteuid())
}

func uidOf(path string) (uint32, error) {
	var st unix.Stat_t
	err := unix.Stat(path, &st)
	return st.Uid, err
}

// existingKey returns the key, or nil if there is none yet.
func existingKey() ([]byte, error) {
	file, err := keyFile()
	if err != nil {
		return nil, keyError(err)
	}
	key, err := readKey(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return key, err
}

// ownKey returns the key, creating it on first use.
func ownKey() ([]byte, error) {
	key, err := existingKey()
	if err != nil || key != nil {
		return key, err
	}
	file, err := keyFile()
	if err != nil {
		return nil, keyError(err)
	}
	if err := makeKey(file); err != nil && !errors.Is(err, fs.ErrExist) { // another process was faster
		return nil, keyError(err)
	}
	return readKey(file)
}

func keyError(err error) error {
	return assay.WithHint("set XDG_STATE_HOME to a directory of your own", "cannot keep the key that seals the journal: %w", err)
}

// readKey reads the key, and refuses one that another user could have read or
// written.
func readKey(file string) ([]byte, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, keyError(err)
	}
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return nil, keyError(err)
	}
	if st.Uid != uint32(os.Geteuid()) {
		return nil, assay.WithHint("set XDG_STATE_HOME to a directory of your own",
			"%s seals the journal, but belongs to user %d, and assay runs as user %d", file, st.Uid, os.Geteuid())
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Mode&0o077 != 0 {
		return nil, assay.WithHint("remove it, and what is left of earlier runs by hand: assay cleanup lists it",
			"%s seals the journal, but others can read or change it", file)
	}
	key := make([]byte, hex.EncodedLen(keySize)+1)
	n, err := f.Read(key)
	if err != nil {
		return nil, keyError(err)
	}
	raw, err := hex.DecodeString(string(key[:min(n, hex.EncodedLen(keySize))]))
	if err != nil || len(raw) != keySize {
		return nil, assay.WithHint("remove it, and what is left of earlier runs by hand: assay cleanup lists it", "%s is damaged", file)
	}
	return raw, nil
}

// makeKey makes a key whose file appears whole or not at all.
func makeKey(file string) error {
	raw := make([]byte, keySize)
	_, _ = rand.Read(raw) // never fails: crypto/rand ends the program instead
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".journal.key-*") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(hex.EncodeToString(raw) + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), file) // unlike a rename, it replaces nothing
}

// sealed is a row of the journal, as stored.
type sealed struct {
	receipt, since, run string
	pid                 int
	start, boot         string
	maker, body, seal   string
}

// sum returns the seal that the row must have. Every field goes in with its length, so
// no bytes can move between neighbouring fields.
func (s sealed) sum(key []byte) string {
	mac := hmac.New(sha256.New, key)
	for _, field := range []string{"assay journal 1", s.receipt, s.since, s.run, strconv.Itoa(s.pid), s.start, s.boot, s.maker, s.body} {
		fmt.Fprintf(mac, "%d:%s,", len(field), field)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// authentic reports whether this user made the row on this machine. Without a
// key, nothing was made here.
func (s sealed) authentic(key []byte) bool {
	return key != nil && hmac.Equal([]byte(s.seal), []byte(s.sum(key)))
}

// maker names this program and user, for people.
func maker() string {
	name := strconv.Itoa(os.Geteuid())
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	program, err := os.Executable()
	if err != nil {
		program = "assay"
	}
	return name + " with " + program
}
