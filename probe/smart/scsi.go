package smart

import "strconv"

// readSCSI reads the log pages of SCSI and SAS drives.
func (r *reading) readSCSI() {
	r.addShare("smart.percentage_used", r.firstOf(
		r.doc.at("scsi_percentage_used_endurance_indicator"),
		r.doc.at("endurance_used", "current_percent")), 255, nil)

	counters := r.doc.at("scsi_error_counter_log")
	labels := map[string]string{}
	if n, ok := r.doc.at("scsi_grown_defect_list").number(); ok && n >= 0 {
		labels["grown_defects"] = strconv.FormatFloat(n, 'f', -1, 64)
	}
	uncorrected, line, known := 0.0, 0, false
	for _, direction := range []string{"read", "write", "verify"} {
		at := counters.at(direction, "total_uncorrected_errors")
		if n, ok := at.number(); ok {
			if n < 0 {
				r.add("smart.media_errors", n, at.line, nil) // fails the reading
				return
			}
			if !known {
				line = at.line
			}
			uncorrected, known = uncorrected+n, true
			labels[direction] = strconv.FormatFloat(n, 'f', -1, 64)
		}
	}
	if at := r.doc.at("scsi_pending_defects", "count"); at.exists() {
		if n, ok := at.number(); ok && n >= 0 {
			labels["pending"] = strconv.FormatFloat(n, 'f', -1, 64)
			if n > uncorrected || !known {
				uncorrected, line, known = max(n, uncorrected), at.line, true
			}
		}
	}
	if known {
		r.add("smart.media_errors", uncorrected, line, labels)
	} else if len(r.found) > 0 && labels["grown_defects"] != "" {
		r.found[0].Labels["grown_defects"] = labels["grown_defects"]
	}
	r.addScaled("smart.reallocated_sectors", r.doc.at("scsi_grown_defect_list"), 1, map[string]string{"source": "grown defect list"})
	r.addScaled("smart.non_medium_errors", r.doc.at("scsi_non_medium_error_count"), 1, nil)
	// 0 °C with a trip temperature of 0 comes from a controller that answers for
	// its drives.
	now, _ := r.doc.at("temperature", "current").number()
	if trip, told := r.doc.at("temperature", "drive_trip").number(); now != 0 || trip != 0 || !told {
		limit := map[string]string{}
		if told && trip > 0 {
			limit["trip"] = strconv.FormatFloat(trip, 'f', -1, 64)
		}
		r.addTemperature(limit, r.doc.at("temperature", "current"))
	}
	r.addPowerOn()
	// smartctl divides by 10^9, whatever the vendor's pages say.
	r.addScaled("smart.data_written", counters.at("write", "gigabytes_processed"), 1e9, nil)
	r.addScaled("smart.data_read", counters.at("read", "gigabytes_processed"), 1e9, nil)
}

// firstOf returns the first node that exists.
func (r *reading) firstOf(nodes ...node) node {
	for _, n := range nodes {
		if n.exists() {
			return n
		}
	}
	return node{}
}
