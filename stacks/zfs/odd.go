package zfs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// Setup is what is known of a pool and of the dataset measured in it.
type Setup struct {
	Pool       Pool
	Status     Status
	Ashift     int // smallest of the vdevs with data; 0 unknown
	Devices    []Device
	ARC        *ARC
	Tools      string     // version
	Module     string     // version
	Dataset    string     // that is measured
	Properties []Property // of it
}

// Thresholds for oddities.
const (
	fullFrom   = 80 // %, where OpenZFS's own guides warn: finding free space gets ever slower
	usualShift = 12 // 4 KiB sectors
)

// Odd returns the deviations from a sane setup, each with its consequence. The facts
// tell which drives have power-loss protection.
func (s Setup) Odd(f assay.Facts) []assay.Note {
	var all []assay.Note
	say := func(id, format string, args ...any) {
		all = append(all, assay.Note{ID: id, Text: fmt.Sprintf(format, args...)})
	}
	pool := s.Pool.Name
	if s.Ashift > 0 && s.Ashift < usualShift {
		if large := s.larger(1 << s.Ashift); len(large) > 0 {
			say("zfs-ashift", "pool %s was created with ashift=%d (sectors of %d B), but %s of %d B: small writes make the drive read, change and write back a sector; ashift is fixed, so recreate the vdev with -o ashift=12",
				pool, s.Ashift, 1<<s.Ashift, prose.WithVerb(len(large), "drive", "has physical sectors", "have physical sectors"), large[0].Sector)
		}
	}
	if s.Pool.Capacity > fullFrom {
		say("zfs-full", "pool %s is %d %% full: over %d %% ZFS takes longer to find free space, and writes slow down; free some before figures are compared", pool, s.Pool.Capacity, fullFrom)
	}
	s.oddLog(f, say)
	if p := s.property("sync"); p.Value == "disabled" {
		say("zfs-sync", "%s has sync=disabled (%s): writes are confirmed from memory, and a crash or a power failure loses the last seconds of them", s.Dataset, origin(p))
	}
	if p := s.property("dedup"); p.Value != "" && p.Value != "off" {
		say("zfs-dedup", "%s has dedup=%s: each write looks its checksum up in a table that may not fit in memory, so figures depend on the data", s.Dataset, p.Value)
	}
	if s.ARC != nil {
		say("zfs-arc", "the ARC of this host may grow to %s: reads of less than that which were written or read before come from memory, not from the drives", quantity.Bytes(s.ARC.Limit))
	}
	if s.Module != "" && s.Tools != "" && s.Module != s.Tools {
		say("zfs-versions", "the tools of ZFS are %s and its kernel module is %s: reboot, or update the other one", s.Tools, s.Module)
	}
	return all
}

// oddLog reports what is odd about the device for synchronous writes.
func (s Setup) oddLog(f assay.Facts, say func(id, format string, args ...any)) {
	var data []string
	for _, path := range s.Status.Devices(Data) {
		if d := s.device(path); d != nil {
			data = append(data, d.Disk)
		}
	}
	for _, path := range s.Status.Devices(Log) {
		d := s.device(path)
		if d == nil {
			continue
		}
		if slices.Contains(data, d.Disk) {
			say("zfs-slog-shared", "the log device (SLOG) %s of pool %s is on %s, which holds the pool's data too: each synchronous write then goes to the same drive twice", d.Name, s.Pool.Name, d.Disk)
		}
		if drive := f.Device(d.Disk); drive != nil && drive.PLP != nil && !*drive.PLP {
			say("zfs-slog-plp", "the log device (SLOG) of pool %s is %s, a drive without power-loss protection: each synchronous write waits for its flush; use a drive with PLP",
				s.Pool.Name, strings.TrimSpace(d.Disk+" "+drive.Model))
		}
	}
}

// larger returns the pool's data devices whose physical sectors are larger.
func (s Setup) larger(sector int64) []Device {
	var all []Device
	for _, path := range s.Status.Devices(Data) {
		if d := s.device(path); d != nil && d.Sector > sector {
			all = append(all, *d)
		}
	}
	return all
}

func (s Setup) device(path string) *Device {
	i := slices.IndexFunc(s.Devices, func(d Device) bool { return d.Path == path })
	if i < 0 {
		return nil
	}
	return &s.Devices[i]
}

func (s Setup) property(name string) Property {
	i := slices.IndexFunc(s.Properties, func(p Property) bool { return p.Of == s.Dataset && p.Name == name })
	if i < 0 {
		return Property{}
	}
	return s.Properties[i]
}

func origin(p Property) string {
	if p.Set() {
		return "set there"
	}
	return p.Source
}

// Facts returns the facts of the pool, then those of the dataset.
func (s Setup) Facts() []assay.PoolFacts {
	version := s.Module
	if version == "" {
		version = s.Tools
	}
	pool := map[string]string{
		"health": s.Pool.Health, "layout": s.Status.Layout(Data), "drives": strings.Join(s.Disks(Data), " "),
		"size": strconv.FormatInt(s.Pool.Size, 10), "free": strconv.FormatInt(s.Pool.Free, 10), "capacity": strconv.Itoa(s.Pool.Capacity) + "%",
		"scan": s.Status.Scan,
	}
	if s.Ashift > 0 {
		pool["ashift"] = strconv.Itoa(s.Ashift)
	}
	if s.Pool.Fragmentation >= 0 {
		pool["fragmentation"] = strconv.Itoa(s.Pool.Fragmentation) + "%"
	}
	for class, key := range map[string]string{Log: "slog", Special: "special", Cache: "l2arc"} {
		if disks := s.Disks(class); len(disks) > 0 {
			pool[key] = strings.Join(disks, " ")
		}
	}
	if s.ARC != nil {
		pool["arc_size"], pool["arc_max"] = strconv.FormatInt(s.ARC.Size, 10), strconv.FormatInt(s.ARC.Limit, 10)
	}
	for key, value := range pool {
		if value == "" {
			delete(pool, key)
		}
	}
	all := []assay.PoolFacts{{Kind: "zfs", Name: s.Pool.Name, Version: version, Properties: pool}}
	into := pool
	if s.Dataset != s.Pool.Name {
		into = map[string]string{}
		all = append(all, assay.PoolFacts{Kind: "zfs", Name: s.Dataset, Version: version, Properties: into})
	}
	for _, p := range s.Properties {
		if _, taken := into[p.Name]; !taken && p.Of == s.Dataset && p.Value != "-" && p.Value != "" {
			into[p.Name] = p.Value
		}
	}
	return all
}

// Volatile lists the facts of a pool that change by themselves: a change in them is no
// change of its setup.
var Volatile = []string{"free", "allocated", "capacity", "fragmentation", "scan", "arc_size"}

// Disks returns the kernel names of a class's disks; for devices that the kernel
// did not name, their paths.
func (s Setup) Disks(class string) []string {
	var all []string
	for _, path := range s.Status.Devices(class) {
		disk := path
		if d := s.device(path); d != nil {
			disk = d.Disk
		}
		if !slices.Contains(all, disk) {
			all = append(all, disk)
		}
	}
	return all
}
