package ssh

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/oneline"
	"assay/internal/shell"
	"assay/place/remote"
)

// The errors that callers distinguish. With all but ErrLost, no command was
// started.
var (
	ErrUnreachable error = gone("cannot be reached")
	ErrHostKey     error = gone("its host key does not match the known one")
	ErrDenied      error = gone("login was refused")
	ErrSudo              = errors.New("sudo does not grant root")
	ErrShell       error = gone("its login shell is not usable")
	ErrLost              = remote.ErrLost
)

// gone is an error that means the host is unreachable.
type gone string

func (g gone) Error() string        { return string(g) }
func (g gone) Is(target error) bool { return target == assay.ErrHostGone }

// errNotBegun is in the chain of errors that occur on a shared connection
// before anything is sent.
var errNotBegun = errors.New("not begun")

type notBegun struct{ error }

func (e notBegun) Unwrap() error        { return e.error }
func (e notBegun) Is(target error) bool { return target == errNotBegun }

const (
	hintPath = "check that the host is up, its address is correct and the network in between works"
	hintKey  = "'%s true' must work without prompting: load the key (ssh-add) or install it there (ssh-copy-id)"
)

// saying is a message of the OpenSSH client and its meaning. The wording has not
// changed for many versions; other messages are quoted.
type saying struct {
	words string
	err   error
	short string
	hint  string // %s is the ssh command to type by hand
}

var sayings = []saying{
	{"Could not resolve hostname", ErrUnreachable, "no such host name", "use its address, or a Host from ~/.ssh/config"},
	{"hostname contains invalid characters", ErrUnreachable, "no such host name", "use its address, or a Host from ~/.ssh/config"},
	{"Connection refused", ErrUnreachable, "connection refused", "start sshd there, or set its port"},
	{"timed out", ErrUnreachable, "no answer in time", hintPath},
	{"not responding", ErrUnreachable, "it stopped responding", hintPath},
	{"No route to host", ErrUnreachable, "no route to host", hintPath},
	{"Network is unreachable", ErrUnreachable, "network is unreachable", hintPath},
	{"Permission denied (", ErrDenied, "", hintKey},
	{"Too many authentication failures", ErrDenied, "too many keys were tried", "set the right one in ~/.ssh/config: IdentityFile and IdentitiesOnly yes"},
	{"kex_exchange_identification", ErrUnreachable, "it closed the connection before login", "sshd there may be refusing connections for now (MaxStartups, fail2ban): check its log"},
	{"Connection reset", ErrUnreachable, "connection reset", hintPath},
	{"Connection closed", ErrUnreachable, "connection closed", "sshd's log there says why"},
	{"closed by remote host", ErrUnreachable, "connection closed", "sshd's log there says why"},
}

// keyFailed ends ssh's message about a host key that it rejects.
const keyFailed = "Host key verification failed"

// explain turns the output of an ssh that failed to connect into an error.
func (p *Place) explain(text string) error {
	host := p.host.Name
	if strings.Contains(text, keyFailed) {
		return p.explainKey(text)
	}
	for _, known := range sayings {
		line := lineWith(text, known.words)
		if line == "" {
			continue
		}
		short := known.short
		if short == "" {
			short = line
		}
		hint := known.hint
		if strings.Contains(hint, "%s") {
			hint = fmt.Sprintf(hint, p.byHand())
		}
		return assay.WithHint(hint, "host %s: %w: %s", host, known.err, short)
	}
	return fmt.Errorf("host %s: %w%s", host, ErrUnreachable, after(lastLine(text)))
}

var (
	offending  = lazyregexp.New(`(?m)^Offending .*key in (.+):(\d+)\r?$`)
	keyChanged = lazyregexp.New(`(?m)^Host key for (\S+) has changed`)
)

// byHand returns the command that a person would type to log in.
func (p *Place) byHand() string {
	words := "ssh "
	if p.options.Port != 0 {
		words += "-p " + strconv.Itoa(p.options.Port) + " "
	}
	if p.options.User != "" {
		words += p.options.User + "@"
	}
	return words + p.options.Address
}

// explainKey returns what is wrong with the host key. It names the remedy but never
// applies it: only the user can know whether the host was really reinstalled. An
// accepted host can print the same words in its banner with another host's name, but
// then they are not ssh's last line.
func (p *Place) explainKey(text string) error {
	name := keyChanged.FindStringSubmatch(text)
	if !strings.HasPrefix(lastLine(text), keyFailed) {
		return assay.WithHint("log in by hand to see why: '"+p.byHand()+"'",
			"host %s: %w: %s", p.host.Name, ErrUnreachable, lastLine(text))
	}
	if name == nil {
		return assay.WithHint("log in once by hand, '"+p.byHand()+"', and compare the key it shows with the host's own",
			"host %s: %w: it is not in known_hosts", p.host.Name, ErrHostKey)
	}
	remedy := "ssh-keygen -R " + shell.Quote(name[1])
	where := ""
	if at := offending.FindStringSubmatch(text); at != nil {
		remedy = "ssh-keygen -f " + shell.Quote(at[1]) + " -R " + shell.Quote(name[1])
		where = ", see " + at[1] + ":" + at[2]
	}
	return assay.WithHint("if the host was reinstalled: "+remedy+", then log in once by hand; if not, this may be a man-in-the-middle attack",
		"host %s: %w: it has changed%s", p.host.Name, ErrHostKey, where)
}

// explainShell returns why a session ended before a sh was reading.
func (p *Place) explainShell(status int, stdout, stderr string) error {
	host := p.host.Name
	sudo := lineWith(stderr, "sudo: ")
	switch {
	case strings.Contains(stderr, "assay-no-sudo"):
		return assay.WithHint("install sudo there, or log in as root", "host %s: %w: sudo is not installed", host, ErrSudo)
	case p.options.Sudo && sudo != "":
		return assay.WithHint("allow sudo sh without a password (NOPASSWD in sudoers), log in as root, or do without sudo",
			"host %s: %w: %s", host, ErrSudo, strings.TrimPrefix(sudo, "sudo: "))
	case status == 255:
		// The connection is up, so this is not about its key, whatever the host prints.
		return notBegun{p.explain(strings.ReplaceAll(stderr, keyFailed, "…"))}
	}
	said := lineWith(stderr, ": ") // the shell's name and its complaint; fish goes on after it
	if said == "" {
		said = lastLine(stderr + stdout)
	}
	return assay.WithHint("the login shell must support 'sh -c': give the user one that does",
		"host %s: %w: it exited with status %s instead of starting sh%s", host, ErrShell, strconv.Itoa(status), after(said))
}

// reason returns an explanation without its prefix, for a sentence that has
// already named the host; "" if there is none.
func reason(err error) string {
	text := err.Error()
	at := strings.Index(text, ErrUnreachable.Error()+": ")
	if at < 0 {
		return ""
	}
	return text[at+len(ErrUnreachable.Error())+2:]
}

func after(words string) string {
	if words == "" {
		return ""
	}
	return ": " + words
}

func lineWith(text, words string) string {
	for _, l := range strings.Split(text, "\n") {
		if strings.Contains(l, words) {
			return oneline.Brief([]byte(l))
		}
	}
	return ""
}

// lastLine returns the last non-empty line, truncated if it is long.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return oneline.Brief([]byte(lines[len(lines)-1]))
}
