package migration

import (
	_ "embed" // the scripts
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
)

var (
	//go:embed inside.pl
	insideScript string
	//go:embed observe.pl
	observeScript string
)

// Bounds of what runs inside: besides its observer, nothing else ends it.
const (
	Longest = 4 * time.Hour
	Silence = time.Minute // how long it keeps running without a query
)

// Begin returns the command that starts what answers inside the guest and changes that many
// bytes of its memory per second. It runs in the background and ends by itself, whatever
// becomes of its starter, so it lacks the marks by which assay finds and ends what it starts.
func (m Move) Begin(load int64) assay.Cmd {
	address := "" // the guest may resolve a name differently
	if a, err := netip.ParseAddr(m.Address); err == nil {
		address = a.String()
	}
	seconds := func(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) }
	return assay.Cmd{
		Argv: []string{"env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "perl", "-e", insideScript, "--",
			address, seconds(Longest), seconds(Silence), strconv.FormatInt(load, 10)},
		Timeout: patience,
	}
}

// Door is where to reach what runs inside.
type Door struct {
	udp, tcp uint16
	key      string
}

var lineReady = lazyregexp.New(`^ready (\d{1,5}) (\d{1,5}) ([0-9a-f]{16})$`)

// ReadDoor parses the output of Begin.
func ReadDoor(out assay.Output) (d Door, err error) {
	m := lineReady.FindStringSubmatch(strings.TrimSpace(string(out.Stdout)))
	switch {
	case out.Exit == 127:
		return d, errors.New("the guest has no perl")
	case m == nil:
		return d, fmt.Errorf("what was to answer in the guest exited %d: %.200q", out.Exit, strings.TrimSpace(string(out.Stderr)))
	}
	for _, one := range []struct {
		word string
		into *uint16
	}{{m[1], &d.udp}, {m[2], &d.tcp}} {
		n, err := strconv.ParseUint(one.word, 10, 16)
		if err != nil || n == 0 {
			return Door{}, fmt.Errorf("what answers in the guest: %.40q is no port", one.word)
		}
		*one.into = uint16(n)
	}
	d.key = m[3]
	return d, nil
}

// Every is the interval of queries by UDP, and by TCP.
const Every = time.Millisecond

// Observe returns the command that queries it repeatedly until it gets SIGINT. Then what runs
// inside ends as well.
func (m Move) Observe(d Door) assay.Cmd {
	return assay.Cmd{
		Argv:  []string{"perl", "-e", observeScript, "--", m.Address, strconv.FormatFloat(Every.Seconds(), 'f', -1, 64)},
		Stdin: fmt.Appendf(nil, "%d %d %s\n", d.udp, d.tcp, d.key), Timeout: Longest, Limit: assay.LongOutputLimit,
	}
}
