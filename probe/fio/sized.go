package fio

import (
	"maps"
	"strconv"

	"assay"
)

// Sized returns a trial that requests a file, or a region of a device, of the same size
// as an earlier one.
func (*Probe) Sized(t assay.Trial, was assay.Scratch) assay.Trial {
	if isUserJob(t) {
		return sizedJob(t, was.Bytes)
	}
	t.Settings = maps.Clone(t.Settings)
	t.Settings["size"] = strconv.FormatInt(was.Bytes, 10)
	t.Scratch = was.Bytes
	return t
}
