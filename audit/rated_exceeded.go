package audit

import (
	"fmt"

	"assay"
	"assay/reference"
)

var ratedExceeded = Rule{
	ID: "rated-exceeded", Number: 4, Applies: "fio", Severities: "W",
	Title:   "Faster than the vendor's rating",
	Formula: "figure > 1.1 x the vendor's rating for this model and size; sequential figures against MB/s, random 4 KiB ones against IOPS",
	Source:  "reference/drives.yaml, each entry with its own source",
	Example: "8,031 MB/s against PM9A1 rated 6,900 MB/s: 1.16 x",
	Check:   checkRated,
}

func checkRated(e Evidence) []assay.Finding {
	const id = "rated-exceeded"
	var found []assay.Finding
	for _, l := range e.storage() {
		if l.label("", "tool") == "dd" {
			continue // one request at a time: far below ratings, or a cache other rules report
		}
		drives, missing, hint := l.drives()
		if missing == "" && len(drives) != 1 {
			continue // several drives together have no rating
		}
		if model, bytes := l.model(); l.foreign() && model != "" {
			drives, missing = []assay.BlockDevice{{Model: model, Bytes: bytes}}, ""
		}
		missing = orFact(missing, "model of the drive")
		var rated reference.DriveModel
		if missing == "" {
			var known bool
			if rated, known = reference.Drive(drives[0].Model, drives[0].Bytes); !known {
				missing, hint = ratingMissing(drives[0])
			}
		}
		for _, dir := range l.directions() {
			if l.warm(dir) {
				continue
			}
			if missing != "" {
				found = append(found, l.unchecked(id, nil, missing, hint))
				break
			}
			found = append(found, overRating(l, dir, rated)...)
		}
	}
	return found
}

func ratingMissing(d assay.BlockDevice) (missing, hint string) {
	if d.Model == "" {
		return "model of " + d.Name, "smartctl -i or /sys/block/" + d.Name + "/device/model shows it"
	}
	if d.Bytes <= 0 {
		return fmt.Sprintf("vendor's rating of %q", d.Model), "its size may identify it: --fact model=MODEL,size=1TB; or add the model with its data sheet to reference/drives.yaml"
	}
	return fmt.Sprintf("vendor's rating of %q (%s)", d.Model, volume(float64(d.Bytes))),
		"add the model with its data sheet to reference/drives.yaml"
}

func overRating(l look, dir string, rated reference.DriveModel) []assay.Finding {
	const id = "rated-exceeded"
	bandwidth, iops := rated.Read, rated.ReadIOPS
	if dir == "write" {
		bandwidth, iops = rated.Write, rated.WriteIOPS
	}
	var found []assay.Finding
	say := func(metric, measured, rating string, ratio float64) {
		found = append(found, l.finding(id, assay.Warns, []string{metric},
			fmt.Sprintf("%s against %s rated %s: %s", measured, rated.Model, rating, times(ratio)),
			"more than the vendor promises: part of it may come from a cache",
			"compare with what the kernel counted at the drive during the run (rule device-reconcile), or measure with a file too large for any cache: "+
				l.again(dir, map[string]string{"size": twiceRAM(l.facts)})))
	}
	metric := "storage." + dir + ".bandwidth"
	if v, ok := l.median(metric); ok && bandwidth > 0 && v > ratedSlack*bandwidth {
		say(metric, rate(v), rate(bandwidth), v/bandwidth)
	}
	metric = "storage." + dir + ".iops"
	bs, known := parseSize(l.label(dir, "bs"))
	if v, ok := l.median(metric); ok && iops > 0 && known && bs == 4096 && isRandom(l.label(dir, "pattern")) && v > ratedSlack*iops {
		say(metric, figure(v)+" IOPS", figure(iops)+" IOPS", v/iops)
	}
	return found
}
