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

// The scripts that run on the far side.
var (
	//go:embed far.sh
	farScript string
	// MarkedScript defines a function that kills processes by their mark: see
	// there.
	//go:embed marked.sh
	MarkedScript string
)

// HelloLine is what the far sh prints once it reads: nothing is sent before
// that.
const HelloLine = "assay-ready\n"

// The environment variables that mark a command: one for its run, as on this
// machine, and one of its own.
const (
	RunMark     = procmark.Name
	commandMark = "ASSAY_COMMAND"
)

// Reader is all that the login shell sees. It contains no single quotes,
// backslashes or exclamation marks, so in single quotes it is one plain word to
// every shell: sh, csh and fish alike. It reads a first line, collects lines
// until that one recurs, and runs them; unless they all arrive, nothing runs.
const Reader = `echo assay-ready; read -r e; n=$(echo; echo _); n=${n%_}; s=; ` +
	`while IFS= read -r l; do if [ "$l" = "$e" ]; then eval "$s"; exit; fi; s=$s$l$n; done`

// Order is a command with what far.sh needs to run it.
type Order struct {
	assay.Cmd
	Key  string // prefix of every line meant for us: NewKey
	Mark string // of the run, or ""
	// Beat is how often we signal the far side, in whole seconds. After missing
	// BeatsMissed of them, it assumes that we are gone.
	Beat time.Duration
	// Linger makes the far side end the session only once we have hung up, for
	// transports that may lose the last output when the process there ends.
	Linger bool
}

// The default beat, and how many may be missed.
const (
	BeatTime    = 5 * time.Second
	BeatsMissed = 4
)

func (o Order) silence() time.Duration { return BeatsMissed * o.Beat }

// NewKey returns a word that cannot have been printed by chance.
func NewKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return hex.EncodeToString(b[:])
}

var envName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// keptNames are variables that some shells refuse to set.
var keptNames = []string{"PPID", "UID", "EUID", "GID", "EGID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "IFS"}

// Check rejects orders that cannot run there.
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
		// Don't repeat the value: it may be a secret.
		name, _, found := strings.Cut(e, "=")
		if !found || !envName.MatchString(name) || slices.Contains(keptNames, name) {
			return fmt.Errorf("%s: cannot set the variable %q on it", o.Argv[0], name)
		}
	}
	return nil
}

// held reports whether the command must wait for permission to begin.
func (o Order) held() bool { return len(o.Stdin) > 0 || o.Gate != nil }

// text is the far sh's input: the key, the script, and the key again.
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

// bound is the command's timeout in seconds for sleep(1), "" for none.
func (o Order) bound() string {
	if o.Timeout <= 0 {
		return ""
	}
	return strconv.FormatFloat(max(o.Timeout.Seconds(), 0.001), 'f', 3, 64)
}

// withoutComments drops comment lines: the far sh reads byte by byte.
func withoutComments(script string) string {
	var kept []string
	for _, l := range strings.Split(script, "\n") {
		if l = strings.TrimLeft(l, "\t"); l != "" && l[0] != '#' {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}
