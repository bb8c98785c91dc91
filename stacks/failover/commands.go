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

// patience is the timeout of a query.
const patience = time.Minute

// linkStop takes a link down, after saving in the guard's directory what goes with it: IPv6
// addresses and routes.
const linkStop = `ip -4 route save dev LINK >routes4
ip -6 route save dev LINK >routes6
ip -6 addr save dev LINK >addresses6
ip link set dev LINK down`

const linkStart = `ip link set dev LINK up || exit
[ ! -s addresses6 ] || ip -6 addr restore <addresses6
[ ! -s routes4 ] || ip -4 route restore <routes4
[ ! -s routes6 ] || ip -6 route restore <routes6
:`

// What drbd-reactor runs on promoting a resource is stopped the way drbd-reactorctl evict does
// it: without the mask it would restart on the same host at once. It may fail to start because
// another host has it by then.
const (
	promoterStop    = "systemctl mask --runtime TARGET && systemctl daemon-reload && systemctl stop TARGET"
	promoterStart   = "rm -f /run/systemd/system/TARGET; systemctl daemon-reload; systemctl start TARGET 2>/dev/null; :"
	promoterRunning = "[ ! -h /run/systemd/system/TARGET ] && systemctl is-active -q drbd-reactor"
)

// Scripts returns sh scripts: one that stops it, one that puts it back, and one that exits
// with 0 if it is not stopped.
func (e Entry) Scripts() (stop, start, running string) {
	service, kill, link := shell.Quote(e.Service), shell.Quote(e.Kill), shell.Quote(e.Link)
	switch {
	case e.Link != "":
		of := strings.NewReplacer("LINK", link)
		return of.Replace(linkStop), of.Replace(linkStart), "ip -o link show dev " + link + " up | grep -q ."
	case e.Promoter != "":
		// systemd reads an unescaped hyphen in a name as a slash.
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

// Dir returns the guard's directory for a receipt's id; "" for an invalid id.
func Dir(id string) string {
	dir := "/run/assay-failover-" + id
	if !guardDir.MatchString(dir) {
		return ""
	}
	return dir
}

// Begin returns the command that has the guard stop it a second later. It prints Armed once
// assay is not needed any more to put it back.
func (e Entry) Begin(dir string) assay.Cmd {
	stop, start, running := e.Scripts()
	limit := strconv.Itoa(int(e.AtMost().Seconds()))
	return assay.Cmd{Argv: []string{"sh", "-c", beginScript, "sh", dir, limit, stop, start, running, guardScript}, Timeout: patience}
}

// Armed is what Begin prints, and Head is the delay from then to the stop.
const (
	Armed = "armed\n"
	Head  = time.Second
)

// IsRunning returns the command that checks that it is not stopped.
func (e Entry) IsRunning() assay.Cmd {
	_, _, running := e.Scripts()
	return assay.Cmd{Argv: []string{"sh", "-c", running}, Timeout: patience}
}

// undoBound is how long putting it back may take.
const undoBound = 8 * time.Minute

// undo returns the command that puts it back if needed.
func (e Entry) undo(dir string) assay.Cmd {
	_, start, running := e.Scripts()
	return assay.Cmd{Argv: []string{"sh", "-c", undoScript, "sh", dir, start, running}, Timeout: undoBound}
}

// Undo puts it back and returns what was run. The path to the host may be what was cut, so it
// retries until the guard's time is up.
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

// Every is how often an observer asks. A command starts only after the previous one has ended.
const Every = 10 * time.Millisecond

// Longest is the longest that anything is observed.
const Longest = time.Hour

// Observe returns the command that asks for an answer repeatedly until it gets SIGINT.
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

// Try returns the command that has to answer, run once for its output.
func (e Entry) Try() assay.Cmd {
	return assay.Cmd{Argv: []string{"sh", "-c", e.Command}, Timeout: e.AnswerWithin()}
}

// WatchWhole returns the command that prints repeatedly whether redundancy is whole, until it
// gets SIGINT.
func (e Entry) WatchWhole() assay.Cmd {
	return assay.Cmd{Argv: []string{"sh", "-c", wholeScript, "sh", e.Whole}, Timeout: Longest, Limit: assay.LongOutputLimit}
}

// IsWhole is a single such check.
func (e Entry) IsWhole() assay.Cmd {
	return assay.Cmd{Argv: []string{"sh", "-c", e.Whole}, Timeout: patience}
}

// LoadEvery is how often a load's progress is printed.
const LoadEvery = 100 * time.Millisecond

// RunLoad returns the command that runs the load, and reruns it when it ends, until it gets
// SIGINT.
func (e Entry) RunLoad() assay.Cmd {
	every := strconv.FormatFloat(LoadEvery.Seconds(), 'f', -1, 64)
	return assay.Cmd{Argv: []string{"perl", "-e", keepScript + loadScript, "--", e.Load, every}, Timeout: Longest, Limit: assay.LongOutputLimit}
}

// Loader returns the host that the load runs on.
func (e Entry) Loader() string {
	if e.Load == "" || len(e.Observers) == 0 {
		return ""
	}
	return e.Observers[len(e.Observers)-1]
}

// FailBack returns the command that makes it fail back to its host.
func (e Entry) FailBack() assay.Cmd {
	return assay.Cmd{Argv: []string{"sh", "-c", e.Failback}, Timeout: patience}
}

// Holder returns the command that prints something on the host that has the
// address.
func (e Entry) Holder() assay.Cmd {
	return assay.Cmd{Argv: shell.Sbin("ip", "-o", "address", "show", "to", e.Address), Timeout: patience}
}

// asks describes what an observer does repeatedly.
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

// Line is a command that a run executes on a host, for people.
type Line struct{ Host, For, Command string }

// Lines returns all of them except those that only read clocks and addresses.
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
