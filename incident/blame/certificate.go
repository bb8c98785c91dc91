package blame

import "assay/incident"

// certificate finds certificates that are refused for their time. Those that are not valid
// yet are the clock's.
var certificate = Rule{ID: "certificate", Title: "A certificate is refused for its time", Check: func(c Case) []Cause {
	events := c.of(incident.CertExpired, incident.CertTime)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.CertExpired, incident.CertTime, incident.PodCrash, incident.MountFailed, incident.NodeNotReady, incident.NoRoute}}
	old, ahead := base, base
	old.Layer, old.Says, old.Why = incident.Operator, "a certificate that was not renewed", "Certificates end, and those of clusters are often made for one year."
	old.Next = []Step{{"see when it ends, and renew it", "openssl s_client -connect HOST:PORT </dev/null 2>/dev/null | openssl x509 -noout -dates; kubeadm certs check-expiration"}}
	ahead.Layer, ahead.Says, ahead.Why = incident.Clock, "a clock that is wrong, here or where the certificate was made", "A clock that is off makes good certificates invalid."
	ahead.Next = []Step{{"compare the clocks of both ends", "date -u; chronyc tracking"}}
	return []Cause{old, ahead}
}}
