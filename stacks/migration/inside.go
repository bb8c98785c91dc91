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

// Bounds of what runs inside, beside which nothing ends it that its observer does not.
const (
	Longest = 4 * time.Hour
	Silence = time.Minute // that it goes on for without a question
)

// Begin is the command that has something answer inside the guest, and change so many bytes of
// its memory per second. It goes on in the background and ends by itself, whatever becomes of
// whoever began it: so it is without the marks by which what assay starts is found and ended.
func (m Move) Begin(load int64) assay.Cmd {
	address := "" // of a name the guest may have an idea of its own
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

// Door is where what runs inside is asked.
type Door struct {
	udp, tcp uint16
	key      string
}

var lineReady = lazyregexp.New(`^ready (\d{1,5}) (\d{1,5}) ([0-9a-f]{16})$`)

// ReadDoor reads what Begin printed.
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

// Every is how often it is asked by UDP, and by TCP.
const Every = time.Millisecond

// Observe is the command that asks it again and again, until it is sent SIGINT. Then what runs
// inside ends as well.
func (m Move) Observe(d Door) assay.Cmd {
	return assay.Cmd{
		Argv:  []string{"perl", "-e", observeScript, "--", m.Address, strconv.FormatFloat(Every.Seconds(), 'f', -1, 64)},
		Stdin: fmt.Appendf(nil, "%d %d %s\n", d.udp, d.tcp, d.key), Timeout: Longest, Limit: assay.LongOutputLimit,
	}
}
