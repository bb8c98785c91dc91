package remote

import (
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/procmark"
	"assay/internal/shell"
)

// The text that runs over there.
var (
	//go:embed far.sh
	farScript string
	// MarkedScript has a function that kills by a mark: see there.
	//
	//go:embed marked.sh
	MarkedScript string
)

// HelloLine is what the far sh says once it reads: only then is anything sent.
const HelloLine = "assay-ready\n"

// The names that a command carries in its environment: that of its run, as on
// this machine, and its own.
const (
	RunMark     = procmark.Name
	commandMark = "ASSAY_COMMAND"
)

// Reader is the whole of what the login shell gets to see. It has neither
// single quotes, backslashes nor exclamation marks, so that it is one plain word
// between single quotes to every shell: sh, csh and fish alike. It reads a first
// line, gathers lines until that one comes again, and runs them; where they do
// not all arrive, nothing runs.
const Reader = `echo assay-ready; read -r e; n=$(echo; echo _); n=${n%_}; s=; ` +
	`while IFS= read -r l; do if [ "$l" = "$e" ]; then eval "$s"; exit; fi; s=$s$l$n; done`

// Order is a command with what far.sh needs to run it.
type Order struct {
	assay.Cmd
	Key  string // opens every line that is meant for us: NewKey
	Mark string // of the run, or ""
	// Beat is how often the far side hears from us, a whole number of seconds.
	// After BeatsMissed of them it takes us for gone.
	Beat time.Duration
	// Linger has the far side end the session only when we have hung up: for ways
	// on which what was printed last may be lost when the process there ends.
	Linger bool
}

// The usual beat, and how many may be missed.
const (
	BeatTime    = 5 * time.Second
	BeatsMissed = 4
)

func (o Order) silence() time.Duration { return BeatsMissed * o.Beat }

// NewKey returns a word that nobody can have printed by chance.
func NewKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return hex.EncodeToString(b[:])
}

var envName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// keptNames are variables that some sh will not let anyone set.
var keptNames = []string{"PPID", "UID", "EUID", "GID", "EGID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "IFS"}

// Check refuses what cannot be run there.
func (o Order) Check() error {
	if len(o.Argv) == 0 {
		return errors.New("no command was given")
	}
	if err := procmark.Check(o.Mark); err != nil {
		return err
	}
	for _, w := range slices.Concat(o.Argv, o.Env) {
		if strings.Contains(w, "\x00") {
			return fmt.Errorf("%s: an argument contains a zero byte", o.Argv[0])
		}
	}
	for _, e := range o.Env {
		// The value may be a secret and is not repeated.
		name, _, found := strings.Cut(e, "=")
		if !found || !envName.MatchString(name) || slices.Contains(keptNames, name) {
			return fmt.Errorf("%s: cannot set the variable %q on it", o.Argv[0], name)
		}
	}
	return nil
}

// held reports whether the command waits for a word that it may begin.
func (o Order) held() bool { return len(o.Stdin) > 0 || o.Gate != nil }

// text is what the far sh reads: the key, the script, and the key again.
func (o Order) text() string {
	var b strings.Builder
	line := func(words ...string) { b.WriteString(strings.Join(words, "") + "\n") }
	own := commandMark + "=" + o.Key
	line(o.Key)
	line("key=", o.Key)
	line("mark=", own)
	line("bytes=", strconv.Itoa(len(o.Stdin)))
	if o.held() {
		line("held=yes")
	} else {
		line("held=")
	}
	line("bound=", o.bound())
	line("beat=", strconv.Itoa(int(o.silence()/time.Second)))
	if o.Linger {
		line("linger=yes")
	} else {
		line("linger=")
	}
	line("environ() {")
	env := append([]string{"LC_ALL=C"}, o.Env...)
	if o.Mark != "" {
		env = append(env, RunMark+"="+o.Mark)
	}
	for _, e := range append(env, own) {
		name, value, _ := strings.Cut(e, "=")
		line("export ", name, "=", shell.Quote(value))
	}
	line("}")
	b.WriteString("set --")
	for _, w := range o.Argv {
		b.WriteString(" " + shell.Quote(w))
	}
	line()
	line(withoutComments(MarkedScript + farScript))
	line(o.Key)
	return b.String()
}

// bound is the command's time in seconds for sleep(1), "" for any.
func (o Order) bound() string {
	if o.Timeout <= 0 {
		return ""
	}
	return strconv.FormatFloat(max(o.Timeout.Seconds(), 0.001), 'f', 3, 64)
}

// withoutComments drops the lines that are nothing else: the far sh reads byte
// by byte.
func withoutComments(script string) string {
	var kept []string
	for _, l := range strings.Split(script, "\n") {
		if l = strings.TrimLeft(l, "\t"); l != "" && l[0] != '#' {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}
