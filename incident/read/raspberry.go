package read

import (
	"strconv"
	"strings"

	"assay/incident"
)

// throttled reads the bits of vcgencmd get_throttled: supply voltage, soft
// temperature limit and throttling, now and since boot.
// https://www.raspberrypi.com/documentation/computers/os.html#get_throttled
func (r *Reader) throttled(text string, n int) {
	_, rest, _ := strings.Cut(text, "throttled=0x")
	bits, err := strconv.ParseUint(word(rest), 16, 32)
	if err != nil {
		return
	}
	const underVoltage, slowed, softLimit = 1<<0 | 1<<16, 1<<2 | 1<<18, 1<<3 | 1<<19
	if bits&underVoltage != 0 {
		r.event(incident.UnderVoltage, "", 0, stamped{text: text}, n)
	}
	// Throttling is due to the supply or the heat.
	if bits&softLimit != 0 || bits&slowed != 0 && bits&underVoltage == 0 {
		r.event(incident.Throttled, "", 0, stamped{text: text}, n)
	}
}

// softLimit is the temperature in degrees Celsius from which a Raspberry Pi throttles
// itself (its firmware's temp_soft_limit goes up to 80).
const softLimit = 80

// coreTemperature parses vcgencmd measure_temp: temp=84.2'C.
func (r *Reader) coreTemperature(text string, n int) {
	_, rest, _ := strings.Cut(text, "temp=")
	value, _, is := strings.Cut(rest, "'C")
	if t, err := strconv.ParseFloat(value, 64); is && err == nil && t >= softLimit {
		r.event(incident.Throttled, "", t, stamped{text: text}, n)
	}
}
