package inventory

import (
	"strconv"
	"strings"
	"time"

	"assay"
)

// date parses the output of a command that prints the time: "1750000000.123456789",
// or whole seconds if date does not know fractions. The time may be later by up to
// exact.
func (r *reader) date(command string) (at time.Time, exact time.Duration, ok bool) {
	whole, fraction, _ := strings.Cut(r.runs[command].text(), ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || seconds <= 0 || seconds >= 1<<40 {
		return time.Time{}, 0, false
	}
	nanos, err := strconv.ParseInt(fraction, 10, 64)
	if err != nil || len(fraction) != 9 || nanos < 0 {
		return time.Unix(seconds, 0).UTC(), time.Second, true
	}
	return time.Unix(seconds, nanos).UTC(), 0, true
}

// offset returns how far a host's clock is ahead of ours, from the first and last
// times that it printed between two of ours: only the round trip widens the
// interval, not what the host did meanwhile. It is nil if the host printed no time.
func offset(raw []byte, sent, received time.Time) *assay.ClockFacts {
	c, err := readCapture(raw)
	if err != nil {
		return nil
	}
	r := reader{capture: c}
	first, exact, ok := r.date("date")
	last, _, okLast := r.date("ended")
	if !ok || !okLast {
		return nil
	}
	most := first.Add(exact).Sub(sent).Seconds()
	least := last.Sub(received).Seconds()
	if least > most {
		return nil // a clock was set meanwhile
	}
	return &assay.ClockFacts{Offset: (least + most) / 2, Within: (most - least) / 2}
}

// synchronised reports whether something keeps the clock synchronised; nil if
// unknown.
func (r *reader) synchronised() *bool {
	const fact, hint = "clock synchronisation", "install chrony or systemd-timesyncd"
	if r.seen["/run/systemd/timesync/synchronized"] {
		return truth(true)
	}
	if run, asked := r.runs["chrony"]; asked && run.exit == 0 {
		if leap, ok := fieldsOf(run.lines, ":")["Leap status"]; ok {
			return truth(leap != "Not synchronised")
		}
	}
	if run, asked := r.runs["timedatectl"]; asked && run.exit == 0 {
		switch fieldsOf(run.lines, "=")["NTPSynchronized"] {
		case "yes":
			return truth(true)
		case "no":
			return truth(false)
		}
	}
	if r.seen["/run/systemd/timesync"] { // it runs, but has not reached a server
		return truth(false)
	}
	r.missing(fact, "neither systemd-timesyncd, chronyc nor timedatectl says it", hint)
	return nil
}
