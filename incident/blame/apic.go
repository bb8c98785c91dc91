package blame

import "assay/incident"

// interruptBus finds interrupts that reached processors damaged.
var interruptBus = Rule{ID: "apic", Title: "Interrupts arrive damaged", Check: func(c Case) []Cause {
	events := c.of(incident.APICError)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(4, events), explains: []incident.Kind{incident.APICError, incident.MCELogged}}
	power, cpu := base, base
	const why = "Messages between the processors' interrupt controllers arrived damaged or were not accepted (APIC error). "
	power.Layer, power.Says, power.Why = incident.Power, "the power supply, whose voltage is not steady", why+"An ageing power supply damages signals on the board before anything else fails."
	power.Next = []Step{{"measure its voltages under load, and try another supply", "sensors; ipmitool sdr type Voltage"}}
	cpu.Layer, cpu.Says, cpu.Why = incident.Memory, "a processor or its board", why+"So does a processor, a socket or a board that fails or is overclocked."
	cpu.Next = []Step{{"undo overclocking, update the firmware, reseat the processor", "dmesg | grep -iE 'apic|mce'"}}
	return []Cause{power, cpu}
}}
