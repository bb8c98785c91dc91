package dd

import (
	"maps"
	"strconv"

	"assay"
)

// Sized returns a trial that copies as much as an earlier one: its source is as
// large as the file.
func (probe) Sized(t assay.Trial, was assay.Scratch) assay.Trial {
	t.Settings = maps.Clone(t.Settings)
	t.Settings["size"] = strconv.FormatInt(was.Bytes, 10)
	t.Scratch = max(2*was.Bytes, leastScratch)
	return t
}
