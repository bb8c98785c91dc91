package read

import "assay/incident"

var heatSignatures = []signature{
	{has: "critical temperature reached", kind: incident.TooHot, device: nothing},
	{has: "ritical temperature", kind: incident.TooHot, device: nothing, or: []string{"shutting down", "reached", "exceeded"}},
	{has: "Thermal Trip", kind: incident.TooHot, device: nothing}, // ipmitool sel list
	{has: "because it has over heated", kind: incident.TooHot, device: port},
	{has: "clock throttled", kind: incident.Throttled, device: nothing},
	{has: "temperature above threshold", kind: incident.Throttled, device: nothing},
	{has: "unning in modulated clock mode", kind: incident.Throttled, device: nothing},
	{has: "hermal throttling", kind: incident.Throttled, device: nothing, or: []string{"active", "detected", "started", "enabled", "occurred"}},
	{has: "°C  ALARM (CRIT)", kind: incident.TooHot, device: nothing},                 // sensors
	{has: "heated above trip temperature", kind: incident.Throttled, device: nothing}, // mcelog
	{has: "Temperature", kind: incident.Warm, device: nothing, and: "| Upper ", or: []string{"ritical going high"}},
	{has: "Temperature Threshold flags", kind: incident.Warm, device: nothing, and: "exceeded"}, // mpt3sas
	{has: "reached critical limit of", kind: incident.Warm, and: "Temperature"},                 // smartd
	{has: "Fan ", kind: incident.FanFailed, device: nothing, and: "| Lower Critical going low"},
	{has: "| Fan", kind: incident.FanFailed, device: nothing, and: "| Lower Critical going low"},
}
