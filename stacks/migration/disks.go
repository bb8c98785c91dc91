package migration

import (
	"context"
	_ "embed" // the scripts
	"encoding/xml"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/oneline"
)

// Disk is a guest's disk that is a file on its host, and is copied with the guest if the other
// host has no such file.
type Disk struct {
	Target string `json:"target"` // as the guest's definition has it: vda
	File   string `json:"file"`   // the same on both hosts
	Format string `json:"format"` // of the file: raw or qcow2
	Bytes  int64  `json:"bytes"`  // as the guest sees it
}

var (
	diskTarget = lazyregexp.New(`^[a-z]{2,3}[a-z0-9]{0,4}$`)
	diskFile   = lazyregexp.New(`^/[^\x00-\x1f]{1,1000}$`)
	// formats are the supported formats of copies.
	formats = []string{"raw", "qcow2"}
)

// mostDisks is how many disks of one guest are copied at most.
const mostDisks = 64

// Check rejects a disk that cannot be copied.
func (d Disk) Check() error {
	switch {
	case !diskTarget.MatchString(d.Target):
		return fmt.Errorf("%.40q cannot be the name of a disk", d.Target)
	case !diskFile.MatchString(d.File) || path.Clean(d.File) != d.File:
		return fmt.Errorf("disk %s: %.100q cannot be copied: its path is not absolute and plain", d.Target, d.File)
	case !slices.Contains(formats, d.Format):
		return fmt.Errorf("disk %s: its format is %.20q, and assay copies those that are %s", d.Target, d.Format, strings.Join(formats, " or "))
	case d.Bytes <= 0 || d.Bytes > 1<<50:
		return fmt.Errorf("disk %s: it cannot have %d bytes", d.Target, d.Bytes)
	}
	return nil
}

// Targets returns the names of disks, as virsh migrate --migrate-disks takes
// them.
func Targets(disks []Disk) (all []string) {
	for _, d := range disks {
		all = append(all, d.Target)
	}
	return all
}

// readDisks parses from virsh dumpxml which disks of a guest have to be copied, without their
// sizes. It skips disks that are only read, shared by several guests, or reached over a
// network. It is pure and total.
func readDisks(text []byte) (disks []Disk, err error) {
	var d struct {
		XMLName xml.Name `xml:"domain"`
		Disks   []struct {
			Type   string `xml:"type,attr"`
			Device string `xml:"device,attr"`
			Driver struct {
				Type string `xml:"type,attr"`
			} `xml:"driver"`
			Source *struct {
				File string `xml:"file,attr"`
			} `xml:"source"`
			Backing struct {
				Type string `xml:"type,attr"`
			} `xml:"backingStore"`
			Target struct {
				Dev string `xml:"dev,attr"`
			} `xml:"target"`
			ReadOnly  *struct{} `xml:"readonly"`
			Shareable *struct{} `xml:"shareable"`
		} `xml:"devices>disk"`
	}
	if err := xml.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("not the XML of a domain: %w", err)
	}
	for _, d := range d.Disks {
		if d.Device == "cdrom" || d.Device == "floppy" || d.ReadOnly != nil || d.Shareable != nil || d.Source == nil || d.Type == "network" {
			continue
		}
		switch {
		case d.Type != "file":
			return nil, fmt.Errorf("disk %.20s is of type %.20s; disks: copy copies those that are files", d.Target.Dev, d.Type)
		case d.Backing.Type != "":
			return nil, fmt.Errorf("disk %.20s has a backing file, and a copy of it would have none any more", d.Target.Dev)
		}
		one := Disk{Target: d.Target.Dev, File: d.Source.File, Format: d.Driver.Type, Bytes: 1}
		if err := one.Check(); err != nil {
			return nil, err
		}
		disks = append(disks, one)
	}
	if len(disks) > mostDisks {
		return nil, fmt.Errorf("%d disks are more than the %d that assay copies", len(disks), mostDisks)
	}
	return disks, nil
}

// readCapacity parses virsh domblkinfo, in bytes.
func readCapacity(text []byte) (int64, error) {
	value := fields(text)["Capacity"].value
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n <= 0 || n > 1<<50 {
		return 0, fmt.Errorf("its capacity is %.40q", value)
	}
	return n, nil
}

// Disks implements Hypervisor.
func (m libvirt) Disks(ctx context.Context, at assay.Place) ([]Disk, error) {
	out, err := m.tell(ctx, at, "dumpxml", virsh("dumpxml", "--domain", m.Guest))
	if err != nil {
		return nil, err
	}
	disks, err := readDisks(out.Stdout)
	if err != nil {
		return nil, assay.WithHint("leave out disks: copy where both hosts reach them, or shut the guest down to copy it another way",
			"domain %s on %s: %w", m.Guest, at.Host().Name, err)
	}
	for i, d := range disks {
		out, err := m.tell(ctx, at, "domblkinfo", virsh("domblkinfo", "--domain", m.Guest, "--device", d.Target))
		if err != nil {
			return nil, err
		}
		if disks[i].Bytes, err = readCapacity(out.Stdout); err != nil {
			return nil, fmt.Errorf("%s: virsh domblkinfo: %s: %w", at.Host().Name, d.Target, err)
		}
	}
	return disks, nil
}

//go:embed copies.sh
var copiesScript string

// on runs the script that handles copies of disks, which are named by a receipt's
// id.
func on(ctx context.Context, at assay.Place, what, id string, disks []Disk) (assay.Output, error) {
	words := []string{"sh", "-c", copiesScript, "sh", what, id}
	for _, d := range disks {
		words = append(words, d.Target, d.Format, strconv.FormatInt(d.Bytes, 10), d.File)
	}
	return at.Run(ctx, assay.Cmd{Argv: words, Env: []string{"LC_ALL=C"}, Timeout: patience})
}

// place is what a host reports about where a copy would go.
type place struct {
	taken, missing bool // the file exists; the directory does not
	free, size     int64
	mount          string
}

// readPlaces parses the output of copies.sh for that many disks. It is pure and
// total.
func readPlaces(text []byte, disks int) (all []place, err error) {
	for line := range strings.Lines(string(text)) {
		words := strings.SplitN(strings.TrimRight(line, "\n"), " ", 4)
		switch {
		case words[0] == "taken" && len(words) == 1:
			all = append(all, place{taken: true})
		case words[0] == "missing" && len(words) == 1:
			all = append(all, place{missing: true})
		case words[0] == "room" && len(words) == 4:
			size, err1 := strconv.ParseInt(words[1], 10, 64)
			free, err2 := strconv.ParseInt(words[2], 10, 64)
			if err1 != nil || err2 != nil || size < 0 || free < 0 {
				return nil, fmt.Errorf("unusable sizes: %.100q", line)
			}
			all = append(all, place{free: free, size: size, mount: words[3]})
		default:
			return nil, fmt.Errorf("unexpected reply: %.100q", line)
		}
	}
	if len(all) != disks {
		return nil, fmt.Errorf("%w: %d answers about %d disks", assay.ErrNoOutput, len(all), disks)
	}
	return all, nil
}

// Admit rejects disks that a host already has, or has no room for.
func Admit(ctx context.Context, at assay.Place, disks []Disk) error {
	host := at.Host().Name
	out, err := on(ctx, at, "look", "", disks)
	if err != nil {
		return fmt.Errorf("%s: room for copies of disks: %w", host, err)
	}
	places, err := readPlaces(out.Stdout, len(disks))
	if err != nil {
		return fmt.Errorf("%s: room for copies of disks: %w%s", host, err, said(out))
	}
	needs := map[string]int64{}
	for i, p := range places {
		file := disks[i].File
		switch {
		case p.taken:
			return assay.WithHint("if both hosts reach the same file, leave out disks: copy; else see what it is, and move it out of the way",
				"%s has a file %s already, which assay does not overwrite: %w", host, file, assay.ErrBusy)
		case p.missing:
			return assay.WithHint("mkdir -p "+path.Dir(file)+" there: a copy of a disk has the path that it has at home",
				"%s has no directory %s: %w", host, path.Dir(file), assay.ErrNotFound)
		}
		needs[p.mount] += disks[i].Bytes
		if room := max(p.free-assay.KeepFree(p.size), 0); needs[p.mount] > room {
			return assay.WithHint("free some space there, or choose another target host (to: under migrate:)",
				"%w on %s for copies of disks: %s may grow to %d MiB, and %s can take %d MiB", assay.ErrNoSpace, host, file, disks[i].Bytes>>20, p.mount, room>>20)
		}
	}
	return nil
}

// MakeCopies creates the files that the disks are copied into. Each has a second name, with
// the receipt's id, which tells it from any other file of its name.
func MakeCopies(ctx context.Context, at assay.Place, id string, disks []Disk) error {
	out, err := on(ctx, at, "make", id, disks)
	switch {
	case err != nil:
		return fmt.Errorf("%s: make copies of disks: %w", at.Host().Name, err)
	case out.Exit == 127:
		return assay.WithHint("install qemu-utils there", "%s: %w: qemu-img", at.Host().Name, assay.ErrNoCommand)
	case out.Exit != 0:
		return fmt.Errorf("%s: make copies of disks%s", at.Host().Name, said(out))
	}
	return nil
}

// Copied reports whether a host has copies named by a receipt's id.
func Copied(ctx context.Context, at assay.Place, id string, disks []Disk) (bool, error) {
	out, err := on(ctx, at, "there", id, disks)
	if err != nil {
		return false, fmt.Errorf("%s: look for copies of disks: %w", at.Host().Name, err)
	}
	switch strings.TrimSpace(string(out.Stdout)) {
	case "yes":
		return true, nil
	case "no":
		return false, nil
	}
	return false, fmt.Errorf("%s: look for copies of disks: %w%s", at.Host().Name, assay.ErrNoOutput, said(out))
}

// errInUse means that some process has a copy open.
var errInUse = errors.New("in use")

// inUse is the exit status of copies.sh for this.
const inUse = 16

// RemoveCopies removes only files that MakeCopies made: none that has taken a copy's name
// since, and none that a process has open. It is idempotent.
func RemoveCopies(ctx context.Context, at assay.Place, id string, disks []Disk) error {
	out, err := on(ctx, at, "remove", id, disks)
	switch {
	case err != nil:
		return fmt.Errorf("%s: remove copies of disks: %w", at.Host().Name, err)
	case out.Exit == inUse:
		return assay.WithHint("see who has it open: fuser -v FILE; then run: assay cleanup", "%s: a disk copy is %w%s", at.Host().Name, errInUse, said(out))
	case out.Exit != 0:
		return fmt.Errorf("%s: remove copies of disks%s", at.Host().Name, said(out))
	}
	return nil
}

// said returns a script's error message.
func said(out assay.Output) string {
	if text := oneline.Brief(out.Stderr); text != "" {
		return ": " + text
	}
	return fmt.Sprintf(": exit status %d", out.Exit)
}
