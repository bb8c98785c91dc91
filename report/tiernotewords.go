package report

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/quantity"
)

// tierNotes returns the sentences about the tiers as a whole.
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
	for _, c := range n.Checks {
		out = append(out, crossCheckWords(c))
	}
	for _, u := range n.Unwell {
		out = append(out, fmt.Sprintf("%s reports that it is %s: with fewer copies it writes less, so these are not its figures when healthy.", u.Column, u.Health))
	}
	return out
}

// agreeing is by how much two tools that measure the same may differ: rbd bench counts in
// whole seconds.
const agreeing = .15

// crossCheckWords says what follows from two tools measuring the same load on an image.
func crossCheckWords(c analysis.CrossCheck) string {
	load := "reads"
	if c.Write {
		load = "writes"
	}
	if c.Random {
		load = "random " + load
	}
	if bytes, ok := assay.ParseSize(c.Block); ok {
		load = quantity.Size(bytes) + " " + load
	}
	said := fmt.Sprintf("%s: %s, %s in flight: rbd bench reaches %s IOPS and fio %s", c.Subject, load, c.InFlight, quantity.Figure(c.Bench), quantity.Figure(c.FIO))
	switch ratio := c.Bench / c.FIO; {
	case !c.Apart && (ratio > 1+agreeing || ratio < 1/(1+agreeing)):
		return said + ": their repeats overlap or are too few to call that a difference."
	case ratio > 1+agreeing:
		return fmt.Sprintf("%s: the image can do %.0f %% more than fio drives it to, so fio's client is likely the limit: look at its CPU.", said, (ratio-1)*100)
	case ratio < 1/(1+agreeing):
		return fmt.Sprintf("%s: rbd bench drives the image to %.0f %% less, so don't compare its figures with fio's.", said, (1-ratio)*100)
	}
	return said + ": two tools agree, so the figure is the image's and not the tool's."
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
