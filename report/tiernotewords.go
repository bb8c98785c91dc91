package report

import (
	"fmt"
	"strconv"
	"strings"

	"assay/analysis"
	"assay/internal/quantity"
)

// tierNotes are the sentences that are about the tiers as a whole.
func tierNotes(n analysis.TierNotes) []string {
	var out []string
	for _, column := range n.Raw {
		out = append(out, column+" is a raw block device: unlike the others, it has no file system overhead.")
	}
	if len(n.Engines) > 0 {
		var parts []string
		for _, e := range n.Engines {
			parts = append(parts, e.Engine+" ("+strings.Join(e.Columns, ", ")+")")
		}
		out = append(out, "The I/O engines differ, with as many requests in flight: "+strings.Join(parts, ", ")+".")
	}
	for _, i := range n.Images {
		out = append(out, imageWords(i))
	}
	for _, u := range n.Unwell {
		out = append(out, fmt.Sprintf("%s reports that it is %s: with fewer copies it writes less, so these are not its figures when healthy.", u.Column, u.Health))
	}
	return out
}

// imageWords says how images were set up.
func imageWords(i analysis.ImageUse) string {
	cache := "no cache"
	if i.Settings["rbd_cache"] == "true" {
		cache = "a cache (" + i.Settings["rbd_cache_policy"]
		if bytes, err := strconv.ParseInt(i.Settings["rbd_cache_size"], 10, 64); err == nil && bytes > 0 {
			cache += ", " + quantity.Size(bytes)
		}
		if i.Settings["rbd_cache_writethrough_until_flush"] == "true" {
			cache += ", write-through until the first flush"
		}
		cache += ")"
	}
	return fmt.Sprintf("%s: images with %s, through librbd with %s.", strings.Join(i.Columns, ", "), strings.Join(i.Features, ", "), cache)
}
