package hosts

import (
	"fmt"
	"regexp"
)

// Host describes a host to create.
type Host struct {
	Name string  `json:"name"` // a DNS label
	Link float64 `json:"link"` // bit/s of each of its links, as printed on the box
	Disk Disk    `json:"disk"`
	Sudo bool    `json:"sudo"` // the user may become root without a password
	// Rise is the temperature rise of its fake sensor under full load, in K.
	Rise   float64           `json:"rise"`
	Labels map[string]string `json:"labels,omitempty"`
}

// Disk is the disk of a host: ext4 on a loop device, mounted at BenchDir.
type Disk struct {
	Bytes int64 `json:"bytes"` // size; the image is sparse
	Rate  int64 `json:"rate"`  // B/s each way, 0 no bound
	IOPS  int64 `json:"iops"`  // 1/s each way, 0 no bound
}

// What all hosts share.
const (
	BenchDir = "/srv/bench" // mount point of a host's disk, owned by User
	User     = "lab"        // the ordinary user; the lab's key also opens root

	gigabit  = 1e9
	mebibyte = 1 << 20
	most     = 100 // hosts in one lab
)

// Standard returns n hosts that are identical except for four: host1 has its
// stock cooler and gets hot, the user of host2 has no sudo, host3 has a slow
// disk, and the last has 1 Gb/s links where the others have 10 Gb/s. With fewer
// than four hosts, one may differ in two ways.
func Standard(n int) []Host {
	all := make([]Host, max(n, 0))
	for i := range all {
		all[i] = Host{
			Name: fmt.Sprintf("host%d", i+1),
			Link: 10 * gigabit,
			Disk: Disk{Bytes: 512 * mebibyte, Rate: 200 * mebibyte, IOPS: 20_000},
			Sudo: true, Rise: 10,
			Labels: map[string]string{"cooling": "tower"},
		}
	}
	if n > 0 {
		all[0].Rise, all[0].Labels["cooling"] = 36, "stock"
		all[1%n].Sudo = false
		all[2%n].Disk.Rate, all[2%n].Disk.IOPS = 20*mebibyte, 1000
		all[n-1].Link = gigabit
	}
	return all
}

var hostName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$`)

// check validates hosts before anything is made.
func check(all []Host) error {
	if len(all) == 0 || len(all) > most {
		return fmt.Errorf("a lab has 1 to %d hosts, not %d", most, len(all))
	}
	seen := map[string]bool{}
	for _, h := range all {
		switch {
		case !hostName.MatchString(h.Name) || h.Name == laptop:
			return fmt.Errorf("%q cannot be the name of a host", h.Name)
		case seen[h.Name]:
			return fmt.Errorf("two hosts are called %s", h.Name)
		case h.Link < 1e6 || h.Link > 100*gigabit:
			return fmt.Errorf("%s: a link of %g bit/s; 1 Mb/s to 100 Gb/s can be had", h.Name, h.Link)
		case h.Disk.Bytes < 16*mebibyte:
			return fmt.Errorf("%s: a disk of %d B; 16 MiB is the least", h.Name, h.Disk.Bytes)
		}
		seen[h.Name] = true
	}
	return nil
}
