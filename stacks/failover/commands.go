package failover

import (
	"cmp"
	"context"
	_ "embed" // the scripts
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/oneline"
	"assay/internal/shell"
	"assay/internal/sleep"
)

var (
	//go:embed begin.sh
	beginScript string
	//go:embed guard.sh
	guardScript string
	//go:embed undo.sh
	undoScript string
	//go:embed whole.sh
	wholeScript string
	//go:embed ask.pl
	askScript string
	//go:embed keep.pl
	keepScript string
	//go:embed load.pl
	loadScript string
	//go:embed try.pl
	tryScript string
)

// patience bounds a question.
const patience = time.Minute

// linkStop takes a link down. What goes with it, addresses of IPv6 and routes, is saved in the
// guard's directory.
const linkStop = `ip -4 route save dev LINK >routes4
ip -6 route save dev LINK >routes6
ip -6 addr save dev LINK >addresses6
ip link set dev LINK down`

const linkStart = `ip link set dev LINK up || exit
[ ! -s addresses6 ] || ip -6 addr restore <addresses6
[ ! -s routes4 ] || ip -4 route restore <routes4
[ ! -s routes6 ] || ip -6 route restore <routes6
:`

// What drbd-reactor runs where it promotes a resource is stopped as drbd-reactorctl evict does it:
// without the mask it would start at once where it was. Another host that has it by then is why it
// may not start.
const (
	promoterStop    = "systemctl mask --runtime TARGET && systemctl daemon-reload && systemctl stop TARGET"
	promoterStart   = "rm -f /run/systemd/system/TARGET; systemctl daemon-reload; systemctl start TARGET 2>/dev/null; :"
	promoterRunning = "[ ! -h /run/systemd/system/TARGET ] && systemctl is-active -q drbd-reactor"
)

// Scripts are for sh: what stops it, what puts it back, and whose exit status 0 says that it
// is not stopped.
func (e Entry) Scripts() (stop, start, running string) {
	service, kill, link := shell.Quote(e.Service), shell.Quote(e.Kill), shell.Quote(e.Link)
	switch {
	case e.Link != "":
		of := strings.NewReplacer("LINK", link)
		return of.Replace(linkStop), of.Replace(linkStart), "ip -o link show dev " + link + " up | grep -q ."
	case e.Promoter != "":
		// A hyphen of a name is a slash's in systemd, unless it is written so.
		of := strings.NewReplacer("TARGET", shell.Quote("drbd-services@"+strings.ReplaceAll(e.Promoter, "-", `\x2d`)+".target"))
		return of.Replace(promoterStop), of.Replace(promoterStart), of.Replace(promoterRunning)
	case e.Service != "":
		stop, start, running = "systemctl stop "+service, "systemctl start "+service, "systemctl is-active -q "+service
		if e.Kill != "" {
			stop, start = "pkill -KILL -x "+kill, "systemctl reset-failed "+service+" 2>/dev/null; "+start
		}
		return stop, start, running
	case e.Kill != "":
		running = "pgrep -x " + kill
		if e.Running != "" {
			running = e.Running
		}
		return "pkill -KILL -x " + kill, e.Start, running
	}
	return e.Stop, e.Start, e.Running
}

var guardDir = lazyregexp.New(`^/run/assay-failover-[0-9a-z]{8,56}$`)

// Dir is the guard's directory by the id of its receipt; "" for an id that makes none.
func Dir(id string) string {
	dir := "/run/assay-failover-" + id
	if !guardDir.MatchString(dir) {
		return ""
	}
	return dir
}

// Begin is the command that has the guard stop it a second later. It prints Armed once nothing
// of assay's is needed any more to put it back.
func (e Entry) Begin(dir string) assay.Cmd {
	stop, start, running := e.Scripts()
	limit := strconv.Itoa(int(e.AtMost().Seconds()))
	return assay.Cmd{Argv: []string{"sh", "-c", beginScript, "sh", dir, limit, stop, start, running, guardScript}, Timeout: patience}
}

// Armed is what Begin prints, and Head how much later it is stopped.
const (
	Armed = "armed\n"
	Head  = time.Second
)

// IsRunning asks whether it is not stopped.
func (e Entry) IsRunning() assay.Cmd {
	_, _, running := e.Scripts()
	return assay.Cmd{Argv: []string{"sh", "-c", running}, Timeout: patience}
}

// undoBound is how long it may take to be put back.
const undoBound = 8 * time.Minute

// undo is the command that puts it back, if it is not.
func (e Entry) undo(dir string) assay.Cmd {
	_, start, running := e.Scripts()
	return assay.Cmd{Argv: []string{"sh", "-c", undoScript, "sh", dir, start, running}, Timeout: undoBound}
}

// Undo puts it back and returns what was run. The way to the host may be what was cut: then it
// asks again until the guard's time is over.
func (e Entry) Undo(ctx context.Context, at assay.Place, dir string) (assay.Step, error) {
	c := e.undo(dir)
	last := time.Now().Add(e.AtMost() + time.Minute)
	for {
		out, err := at.Run(ctx, c)
		step := assay.Step{Argv: c.Argv, Output: out}
		switch {
		case errors.Is(err, assay.ErrHostGone) && time.Now().Before(last) && ctx.Err() == nil:
			if err := sleep.For(ctx, time.Second); err != nil {
				return step, err
			}
		case err != nil:
			return step, fmt.Errorf("%s: put %s back: %w", at.Host().Name, e.What(), err)
		case out.Exit != 0:
			return step, assay.WithHint("see what is wrong with it there, then run: assay cleanup",
				"%s: %s is not back: %s", at.Host().Name, e.What(), oneline.Brief(out.Stderr))
		default:
			return step, nil
		}
	}
}

// Every is how often an observer asks. A command is not run before the one before it has ended.
const Every = 10 * time.Millisecond

// Longest is how long anything is observed.
const Longest = time.Hour

// Observe is the command that asks for an answer, again and again, until it is sent SIGINT.
func (e Entry) Observe() assay.Cmd {
	seconds := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
	c := assay.Cmd{Timeout: Longest, Limit: assay.LongOutputLimit}
	if e.Command != "" {
		c.Argv = []string{"perl", "-e", keepScript + tryScript, "--", e.Command, seconds(Every), seconds(e.AnswerWithin())}
		return c
	}
	port, status := e.Port, cmp.Or(e.Status, 200)
	if port == 0 && e.HTTP != "" {
		port = 80
	}
	c.Argv = []string{"perl", "-e", askScript, e.Address, strconv.Itoa(port), e.HTTP, strconv.Itoa(status), seconds(Every), seconds(e.AnswerWithin())}
	return c
}

// Try runs the command that has to answer once, for what it says.
func (e Entry) Try() assay.Cmd {
	return assay.Cmd{Argv: []string{"sh", "-c", e.Command}, Timeout: e.AnswerWithin()}
}

// WatchWhole is the command that says again and again whether redundancy is whole, until it is
// sent SIGINT.
func (e Entry) WatchWhole() assay.Cmd {
	return assay.Cmd{Argv: []string{"sh", "-c", wholeScript, "sh", e.Whole}, Timeout: Longest, Limit: assay.LongOutputLimit}
}

// IsWhole asks once.
func (e Entry) IsWhole() assay.Cmd {
	return assay.Cmd{Argv: []string{"sh", "-c", e.Whole}, Timeout: patience}
}

// LoadEvery is how often it is said how much a load has done.
const LoadEvery = 100 * time.Millisecond

// RunLoad is the command that has the load run, again where it ends, until it is sent SIGINT.
func (e Entry) RunLoad() assay.Cmd {
	every := strconv.FormatFloat(LoadEvery.Seconds(), 'f', -1, 64)
	return assay.Cmd{Argv: []string{"perl", "-e", keepScript + loadScript, "--", e.Load, every}, Timeout: Longest, Limit: assay.LongOutputLimit}
}

// Loader is the host on which the load runs.
func (e Entry) Loader() string {
	if e.Load == "" || len(e.Observers) == 0 {
		return ""
	}
	return e.Observers[len(e.Observers)-1]
}

// FailBack is the command that has what is to fail over brought to its host.
func (e Entry) FailBack() assay.Cmd {
	return assay.Cmd{Argv: []string{"sh", "-c", e.Failback}, Timeout: patience}
}

// Holder asks a host whether the address is its own: then it prints something.
func (e Entry) Holder() assay.Cmd {
	return assay.Cmd{Argv: shell.Sbin("ip", "-o", "address", "show", "to", e.Address), Timeout: patience}
}

// asks is what an observer does, again and again.
func (e Entry) asks() string {
	switch {
	case e.Command != "":
		return "runs, again and again: " + e.Command
	case e.HTTP != "":
		return fmt.Sprintf("gets %s every %s", e.Asked(), Every)
	case e.Port != 0:
		return fmt.Sprintf("connects to %s every %s", e.Asked(), Every)
	}
	return fmt.Sprintf("pings %s every %s", e.Asked(), Every)
}

// Line is a command that a run gives to a host, for people.
type Line struct{ Host, For, Command string }

// Lines are all of them but those that only look at clocks and addresses.
func (e Entry) Lines() []Line {
	stop, start, running := e.Scripts()
	all := []Line{{e.Where(), "stop", stop}, {e.Where(), "put back", start}, {e.Where(), "check", running}}
	for _, host := range e.Observers {
		all = append(all, Line{host, "observe", "perl -e …, which " + e.asks()})
	}
	if e.Whole != "" && len(e.Observers) > 0 {
		all = append(all, Line{e.Observers[0], "see whether redundancy is whole", e.Whole})
	}
	if loader := e.Loader(); loader != "" {
		all = append(all, Line{loader, "load it meanwhile", e.Load})
	}
	if e.Failback != "" && len(e.Observers) > 0 {
		all = append(all, Line{e.Observers[0], "have it fail back to " + e.Host, e.Failback})
	}
	return all
}
