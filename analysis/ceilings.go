package analysis

import (
	"strings"

	"assay"
)

// ceilingOf gives what physics allows for a figure, or nil where it is not
// known: the bus of the slowest drive under a directory, the memory modules.
func ceilingOf(f Figure, r assay.Result, inv assay.Inventory) *Ceiling {
	if len(r.Trial.Others) > 0 {
		return nil // what one host's bus allows says nothing of what several have
	}
	facts := inv.Facts[r.Trial.Subject.Host]
	var c Ceiling
	switch {
	case strings.HasPrefix(f.Metric, "storage.") && strings.HasSuffix(f.Metric, ".bandwidth"):
		link := linkUnder(facts, r.Trial.Subject.Name)
		if link == nil || fromPageCache(r) {
			return nil
		}
		c = Ceiling{Name: strings.ToUpper(link.Kind[:1]) + link.Kind[1:] + " " + link.Mode, Value: link.Ceiling}
		if link.Kind == "pcie" {
			c.Name = "PCIe " + link.Mode
		}
	case strings.HasPrefix(f.Metric, "memory.") && r.Trial.Settings["level"] != "cache":
		c = Ceiling{Name: "memory modules", Value: facts.Memory.Ceiling()}
	}
	if c.Value <= 0 {
		return nil
	}
	c.Share = f.Value / c.Value
	return &c
}

// linkUnder gives the link of the drive under a directory, where one drive
// alone carries it: with several, the sum depends on how they are joined.
func linkUnder(f assay.Facts, dir string) *assay.Link {
	d := f.Dir(dir)
	if d == nil || len(d.Drives) != 1 {
		return nil
	}
	dev := f.Device(d.Drives[0])
	if dev == nil || dev.Link == nil || dev.Link.Kind == "" || dev.Link.Ceiling <= 0 {
		return nil
	}
	return dev.Link
}

// fromPageCache says whether the trial asked for the page cache's speed.
func fromPageCache(r assay.Result) bool {
	for _, rep := range r.Counted() {
		for _, m := range rep.Measurements {
			if m.Labels["cache"] == "warm" {
				return true
			}
		}
	}
	return false
}
