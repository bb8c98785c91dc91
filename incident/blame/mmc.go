package blame

import "assay/incident"

// mmc finds SD cards and eMMC that stop responding.
var mmc = Rule{ID: "mmc", Title: "An SD card or eMMC", Check: func(c Case) []Cause {
	events := c.of(incident.MMCError)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, Device: events[0].Device, How: Possible, Evidence: quote(4, events), explains: with(consequences, incident.MMCError, incident.NoConnect)}
	card, reader := base, base
	card.Layer, card.Says, card.Why = incident.Drive, "the SD card or eMMC", "The card did not answer its controller, or its responses were corrupt. Worn-out cards do that."
	card.Next = []Step{{"try the card in another reader, and another card in this one", "mmc extcsd read /dev/mmcblk0 | grep -i life"}}
	if says(events, "transferring data, sector") && says(events, "error -110") && c.onlyOn(base.Host, with(consequences, incident.MMCError)) && !says(events, "waiting for hardware") {
		card.How = Likely
		card.Why = "The card did not deliver certain sectors in time. Its reader reports nothing else: no clock errors, no undervoltage."
	}
	reader.Layer, reader.Says, reader.Why = incident.Controller, "the card reader: its driver, clock or power", "A reader whose clock, driver or supply is wrong fails with a good card."
	reader.Next = []Step{{"check whether the supply holds, and which clock the reader runs at", "vcgencmd get_throttled; cat /sys/kernel/debug/mmc0/ios"}}
	return []Cause{card, reader}
}}
