package ssh

import (
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
)

// The text that runs over there.
var (
	//go:embed far.sh
	farScript string
	//go:embed marked.sh
	markedScript string
)

// helloLine is what the far sh says once it reads: only then is anything sent.
const helloLine = "assay-ready\n"

// The names that a command carries in its environment: that of its run, as on
// this machine, and its own.
const (
	runMark     = "ASSAY_MARK"
	commandMark = "ASSAY_COMMAND"
)

// reader is the whole of what the login shell gets to see. It has neither
// single quotes, backslashes nor exclamation marks, so that it is one plain word
// between single quotes to every shell: sh, csh and fish alike. It reads a first
// line, gathers lines until that one comes again, and runs them; where they do
// not all arrive, nothing runs.
const reader = `echo assay-ready; read -r e; n=$(echo; echo _); n=${n%_}; s=; ` +
	`while IFS= read -r l; do if [ "$l" = "$e" ]; then eval "$s"; exit; fi; s=$s$l$n; done`

// asRoot runs its argument by root.
const asRoot = `LC_ALL=C; export LC_ALL; if [ $(id -u) = 0 ]; then eval "$1"; exit; fi; ` +
	`if command -v sudo >/dev/null 2>&1; then exec sudo -n sh -c "$1"; fi; echo assay-no-sudo >&2; exit 127`

// loginCommand is what ssh hands to the login shell.
func loginCommand(sudo bool) string {
	if sudo {
		return "exec sh -c '" + asRoot + "' sh '" + reader + "'"
	}
	return "exec sh -c '" + reader + "'"
}

// order is a command with what far.sh needs to run it.
type order struct {
	assay.Cmd
	key  string // opens every line that is meant for us
	mark string // of the run, or ""
	// silence is after how long without a beat from us the far side takes us
	// for gone, in whole seconds.
	silence time.Duration
}

// newKey gives a word that nobody can have printed by chance.
func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return hex.EncodeToString(b[:])
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// keptNames are variables that some sh will not let anyone set.
var keptNames = []string{"PPID", "UID", "EUID", "GID", "EGID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "IFS"}

func (o order) check() error {
	if len(o.Argv) == 0 {
		return errors.New("no command was given")
	}
	for _, w := range slices.Concat(o.Argv, o.Env) {
		if strings.Contains(w, "\x00") {
			return fmt.Errorf("%s: a word holds a zero byte", o.Argv[0])
		}
	}
	for _, e := range o.Env {
		// The value may be a secret and is not repeated.
		name, _, found := strings.Cut(e, "=")
		if !found || !envName.MatchString(name) || slices.Contains(keptNames, name) {
			return fmt.Errorf("%s: %q cannot be set as a variable there", o.Argv[0], name)
		}
	}
	return nil
}

// text is what the far sh reads: the key, the script, and the key again.
func (o order) text() string {
	var b strings.Builder
	line := func(words ...string) { b.WriteString(strings.Join(words, "") + "\n") }
	own := commandMark + "=" + o.key
	line(o.key)
	line("key=", o.key)
	line("mark=", own)
	line("bytes=", strconv.Itoa(len(o.Stdin)))
	line("bound=", o.bound())
	line("beat=", seconds(o.silence))
	line("environ() {")
	env := append([]string{"LC_ALL=C"}, o.Env...)
	if o.mark != "" {
		env = append(env, runMark+"="+o.mark)
	}
	for _, e := range append(env, own) {
		name, value, _ := strings.Cut(e, "=")
		line("export ", name, "=", quote(value))
	}
	line("}")
	b.WriteString("set --")
	for _, w := range o.Argv {
		b.WriteString(" " + quote(w))
	}
	line()
	line(withoutComments(markedScript + farScript))
	line(o.key)
	return b.String()
}

// bound is the command's time in seconds for sleep(1), "" for any.
func (o order) bound() string {
	if o.Timeout <= 0 {
		return ""
	}
	return strconv.FormatFloat(max(o.Timeout.Seconds(), 0.001), 'f', 3, 64)
}

// quote makes word one word of sh, whatever is in it.
func quote(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
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
