package blame

import (
	"fmt"

	"assay/incident"
)

// nvmeMedia finds NVMe drives that report media read or write errors.
var nvmeMedia = Rule{ID: "nvme-media", Title: "An NVMe drive can't read its medium", Check: func(c Case) []Cause {
	events := c.of(incident.NVMeMedia)
	if len(events) == 0 {
		return nil
	}
	name := incident.ControllerOf(events[0].Device)
	return []Cause{{
		Layer: incident.Drive, Host: events[0].Host, Device: name, Says: "a drive: NVMe media errors", How: VeryLikely,
		Why:      "The drive answered and said that its medium failed. A bad slot or power state shows as timeouts or a controller that is gone.",
		Evidence: quote(4, events, c.of(incident.SMARTMedia, incident.SMARTWarning, incident.SMARTFailed)),
		Next:     []Step{{"check whether the media errors grew and what is logged", fmt.Sprintf("nvme smart-log %s; nvme error-log %s", path(name), path(name))}},
		explains: with(consequences, incident.SMARTMedia, incident.SMARTWarning, incident.SMARTFailed, incident.NVMeInternal, incident.MediumError, incident.ZFSChecksum, incident.SMARTWorn),
	}}
}}
