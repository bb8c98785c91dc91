package table

import (
	"fmt"
	"reflect"
	"strings"

	"assay"
	"assay/ingest/userfacts"
)

// disk and given are the names that stated facts use for the drive and for the
// directory on it.
const (
	disk  = userfacts.Disk
	given = userfacts.Given
)

// state sets one word of facts: "pcie", "gen3x4". A value with a comma is
// refused, as it could be several words.
func state(f *assay.Facts, word, is string) error {
	if strings.Contains(is, ",") {
		return fmt.Errorf("%s: a fact must not contain a comma", word)
	}
	return userfacts.Set(f, word+"="+is)
}

// about adds one subject's facts to those of its host: its drive and what lies
// on it. stated may hold only facts about the drive and the directory.
func about(host *assay.Facts, subject string, stated assay.Facts) error {
	for _, d := range stated.Block {
		if d.Name == disk {
			d.Name, d.Path = subject, subject
		}
		host.Block = append(host.Block, d)
	}
	for _, d := range stated.Dirs {
		d.Path, d.Mount = subject, subject
		if d.Device == disk {
			d.Device = subject
		}
		for i := range d.Drives {
			if d.Drives[i] == disk {
				d.Drives[i] = subject
			}
		}
		if d.Dataset != "" {
			d.Dataset += "/" + subject
		}
		host.Dirs = append(host.Dirs, d)
	}
	for _, p := range stated.Pools {
		p.Name += "/" + subject
		host.Pools = append(host.Pools, p)
	}
	stated.Block, stated.Dirs, stated.Pools = nil, nil, nil
	if !reflect.DeepEqual(stated, assay.Facts{}) {
		return fmt.Errorf("facts about %s can only describe its drive and file system; other facts belong to its host", subject)
	}
	return nil
}
