package blame

import "assay/incident"

var thermal = Rule{ID: "thermal", Title: "Heat", Check: func(c Case) []Cause {
	hot, throttled := c.of(incident.TooHot), c.of(incident.Throttled)
	if len(hot)+len(throttled) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Thermal, How: Possible, Says: "heat: the CPU is throttled", Why: "The CPU slows itself down. That makes things slow and breaks nothing by itself.", Evidence: quote(4, hot, throttled),
		Next: []Step{{"see temperatures and fans under load", "sensors"}}, explains: []incident.Kind{incident.Throttled, incident.TooHot, incident.MCE}}
	if len(hot) > 0 {
		cause.How, cause.Says, cause.Why = VeryLikely, "heat: a critical temperature was reached", "The machine protects itself by shutting down or resetting."
		cause.explains = append(cause.explains, incident.Rebooted, incident.NVMeDown, incident.NVMeTimeout)
	}
	cause.Host = cause.Evidence[0].Host
	return []Cause{cause}
}}
