package guard

import (
	"errors"
	"strings"
	"testing"

	"assay"
)

// TestCheck covers every refusal, and what overwrite: can confirm.
func TestCheck(t *testing.T) {
	yes, no := true, false
	stick := Identity{Serial: "4C530001"}
	confirmed := Identity{Serial: "4C530001", Overwrite: true}
	for name, c := range map[string]struct {
		want   Identity
		change func(*Facts)
		text   string // in the error; "" for none
		is     error
	}{
		"a device that nobody uses": {want: stick},
		"one of several serials":    {want: Identity{Serial: "SanDisk_Ultra_4C530001"}},
		"a loop device":             {want: Identity{Backing: "/var/lib/x.img"}, change: func(f *Facts) { f.Serials, f.Backing = nil, "/var/lib/x.img" }},
		"absent":                    {want: confirmed, change: func(f *Facts) { *f = Facts{Path: f.Path, Absent: true} }, text: "not found", is: assay.ErrNotFound},
		"a directory":               {want: confirmed, change: func(f *Facts) { *f = Facts{Path: f.Path, Other: true} }, text: "not a block device"},
		"nothing named":             {change: func(f *Facts) { f.Serials, f.Backing = []string{""}, "" }, text: "not clear which device"},
		"another serial":            {want: Identity{Serial: "4C530002", Overwrite: true}, text: "serial mismatch: given 4C530002, but sdb has 4C530001 or SanDisk_Ultra_4C530001"},
		"a part of the serial":      {want: Identity{Serial: "4C53"}, text: "serial mismatch: given 4C53,"},
		"no serial at all":          {want: confirmed, change: func(f *Facts) { f.Serials = nil }, text: "none known to the node"},
		"another backing file":      {want: Identity{Backing: "/var/lib/y.img"}, change: func(f *Facts) { f.Backing = "/var/lib/x.img" }, text: "sdb is backed by /var/lib/x.img"},
		"no backing file":           {want: Identity{Backing: "/var/lib/y.img"}, text: "sdb is backed by none"},
		"a partition":               {want: confirmed, change: func(f *Facts) { f.Partition = true }, text: "is a partition"},
		"partitioned":               {want: confirmed, change: func(f *Facts) { f.Partitions = []string{"sdb1"} }, text: "has partitions: sdb1"},
		"a table without any":       {want: confirmed, change: func(f *Facts) { f.Tables = []string{"gpt"} }, text: "partition table: gpt"},
		"mounted":                   {want: confirmed, change: func(f *Facts) { f.Mounts = []string{"/data"} }, text: "mounted at /data", is: assay.ErrBusy},
		"swap":                      {want: confirmed, change: func(f *Facts) { f.Swap = true }, text: "it is swap", is: assay.ErrBusy},
		"held":                      {want: confirmed, change: func(f *Facts) { f.Holders = []string{"dm-0"} }, text: "used by dm-0", is: assay.ErrBusy},
		"held out of sight":         {want: confirmed, change: func(f *Facts) { f.Exclusive = &no }, text: "or a part of it, is held open", is: assay.ErrBusy},
		"nothing could tell":        {want: confirmed, change: func(f *Facts) { f.Exclusive = nil }, text: "wipefs", is: assay.ErrNoCommand},
		"not to be opened":          {want: confirmed, change: func(f *Facts) { f.Exclusive, f.Failed = nil, "Operation not permitted" }, text: "Operation not permitted"},
		"read-only":                 {want: confirmed, change: func(f *Facts) { f.ReadOnly = true }, text: "read-only", is: assay.ErrReadOnly},
		"too small":                 {want: confirmed, change: func(f *Facts) { f.Bytes = 1 << 20 }, text: "1024 KiB", is: assay.ErrNoSpace},
		"a file system":             {want: stick, change: func(f *Facts) { f.Signatures = []string{"ext4"} }, text: "signature of ext4"},
		"a file system, confirmed":  {want: confirmed, change: func(f *Facts) { f.Signatures = []string{"ext4"} }},
		"two of one dock":           {want: Identity{Serial: "0123", Overwrite: true}, change: func(f *Facts) { f.Serials = []string{"0123"} }, text: "not unique: sdb and sda and sdc have it"},
		"one of two in a dock":      {want: stick, change: func(f *Facts) { f.Serials = append(f.Serials, "0123") }},
		"without serials":           {want: Identity{Backing: "/x"}, change: func(f *Facts) { f.Backing, f.Others = "/x", map[string][]string{"sdc": {""}} }},
		"something unknown":         {want: stick, change: func(f *Facts) { f.Blank, f.Written = false, 4097 }, text: "not blank: there is unknown data at byte 4097"},
		"something, confirmed":      {want: confirmed, change: func(f *Facts) { f.Blank = false }},
		"what assay left":           {want: stick, change: func(f *Facts) { f.Blank, f.Own = false, true }},
		"a mark after assay's":      {want: stick, change: func(f *Facts) { f.Blank, f.Own, f.Signatures = false, true, []string{"btrfs"} }, text: "signature of btrfs"},
		"mounted and confirmed":     {want: confirmed, change: func(f *Facts) { f.Signatures, f.Mounts = []string{"ext4"}, []string{"/data"} }, text: "mounted"},
		"another one that is empty": {want: Identity{Serial: "other"}, change: func(f *Facts) { f.Signatures = nil }, text: "serial mismatch: given other,"},
	} {
		t.Run(name, func(t *testing.T) {
			f := Facts{Path: "/dev/sdb", Name: "sdb", Number: "8:16", Bytes: 16 << 30, Exclusive: &yes, Blank: true,
				Others:  map[string][]string{"sdc": {"4C530009", "0123"}, "sda": {"0123"}},
				Serials: []string{"4C530001", "SanDisk_Ultra_4C530001"}}
			if c.change != nil {
				c.change(&f)
			}
			err := Check(c.want, f)
			if c.text == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.text) || !strings.Contains(err.Error(), "/dev/sdb") || assay.Hint(err) == "" {
				t.Errorf("got %v (hint %q), want %q with a hint", err, assay.Hint(err), c.text)
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v is not %v", err, c.is)
			}
		})
	}
}

// receiptNames returns the names in a device's receipt.
func receiptNames(device string, want Identity) map[string]string {
	names := want.Params()
	names["device"] = device
	return names
}
