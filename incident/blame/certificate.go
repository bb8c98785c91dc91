package blame

import (
	"strings"
	"time"

	"assay/incident"
	"assay/internal/quantity"
)

// certificate finds certificates rejected as out of date. Those that are not valid yet are
// a matter for clock.
var certificate = Rule{ID: "certificate", Title: "A certificate is refused for its time", Check: func(c Case) []Cause {
	events := c.of(incident.CertExpired, incident.CertTime)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.CertExpired, incident.CertTime, incident.PodCrash, incident.MountFailed, incident.NodeNotReady, incident.NoRoute}}
	old, ahead := base, base
	old.Layer, old.Says, old.Why = incident.Operator, "a certificate that was not renewed", "Certificates expire, and those of clusters are often issued for one year."
	old.Next = []Step{{"check when it expires, and renew it", "openssl s_client -connect HOST:PORT </dev/null 2>/dev/null | openssl x509 -noout -dates; kubeadm certs check-expiration"}}
	ahead.Layer, ahead.Says, ahead.Why = incident.Clock, "a wrong clock, here or on the machine that issued the certificate", "With a wrong clock, valid certificates are rejected."
	ahead.Next = []Step{{"compare the clocks of both ends", "date -u; chronyc tracking"}}
	if says(events, "chronyd") && c.only(base.explains) {
		ahead.How = Likely
		ahead.Why = "The time service refused the certificates of its own servers: public ones are renewed automatically, and a clock that is far ahead makes them all look expired. It can't set the clock while it refuses them."
		ahead.Next = []Step{{"set the clock once by hand or from a server without NTS", "date -u; chronyd -q 'pool pool.ntp.org iburst'"}}
	}
	if over, known := expiredFor(events); known && over < tooLong && c.only(base.explains) {
		old.How = Likely
		old.Why = "The certificate ended " + quantity.Span(over) + " before it was refused, by the clock of the machine that refused it. Certificates of clusters are often issued for one year."
	}
	return []Cause{old, ahead}
}}

// tooLong is longer than anybody leaves a needed certificate expired: a clock that claims
// so is ahead.
const tooLong = 2 * 365 * 24 * time.Hour

// expiredFor returns how long a refused certificate had been expired, from Go's
// message.
func expiredFor(events []incident.Event) (time.Duration, bool) {
	for _, e := range events {
		_, rest, _ := strings.Cut(e.Text, "current time ")
		now, end, is := strings.Cut(rest, " is after ")
		if !is || len(end) < len(time.RFC3339)-len("07:00") {
			continue
		}
		at, err := time.Parse(time.RFC3339, now)
		until, err2 := time.Parse(time.RFC3339, end[:len("2006-01-02T15:04:05Z")])
		if err == nil && err2 == nil && at.After(until) {
			return at.Sub(until), true
		}
	}
	return 0, false
}
