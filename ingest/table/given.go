package table

import (
	"fmt"
	"reflect"
	"strings"

	"assay"
	"assay/ingest/userfacts"
)

// disk and given are the names under which facts that somebody states speak of
// the drive and of the directory on it.
const (
	disk  = userfacts.Disk
	given = userfacts.Given
)

// state sets one word of facts: "pcie", "gen3x4". What has a comma could be
// taken for several words.
func state(f *assay.Facts, word, is string) error {
	if strings.Contains(is, ",") {
		return fmt.Errorf("%s: a fact must not contain a comma", word)
	}
	return userfacts.Set(f, word+"="+is)
}

// about adds to a host's facts those of one subject: its drive, what lies on
// it. stated are facts of nothing but the drive and the directory.
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
