package device

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"assay"
	"assay/internal/yamldoc"
	"assay/volume/guard"
)

// Kind is the volume's name in receipts and suites.
const Kind = "device"

// New returns the volume.
func New() guard.Volume { return guard.New(Kind).Strict() }

// Device is a drive that may be overwritten, as a cluster.yaml or the command line names
// it.
type Device struct {
	Path     yamldoc.DevicePath `yaml:"path"` // a link below /dev/disk/by-id
	Serial   yamldoc.Label      `yaml:"serial"`
	Backing  yamldoc.Path       `yaml:"backing"`   // the file under a loop device, which has no serial
	Confirm  yamldoc.Label      `yaml:"confirm"`   // the serial, or the file, again: instead of the question on the terminal
	LoseData yamldoc.Label      `yaml:"lose-data"` // and again: what is on it may be lost
	Reset    yamldoc.Label      `yaml:"reset"`     // "", discard or nvme-format
}

// Validate implements yamldoc.Validator.
func (d *Device) Validate() error {
	named := string(d.Serial) + string(d.Backing)
	switch {
	case d.Path == "":
		return errors.New("path: missing")
	case (d.Serial == "") == (d.Backing == ""):
		return errors.New("a run destroys all data on it: also give serial: as printed by lsblk -o NAME,SERIAL (for a loop device backing:, its file)")
	case d.Serial != "" && !strings.HasPrefix(string(d.Path), "/dev/disk/by-id/"):
		return fmt.Errorf("path: give its link below /dev/disk/by-id (ls -l /dev/disk/by-id): %s may be another drive after a reboot", d.Path)
	case !guard.ByID(string(d.Path)) && !guard.Plain(string(d.Path)):
		return fmt.Errorf("path: %q cannot be a device", d.Path)
	case d.Confirm != "" && string(d.Confirm) != named:
		return errors.New("confirm: must repeat the serial (or the backing file)")
	case d.LoseData != "" && string(d.LoseData) != named:
		return errors.New("lose-data: must repeat the serial (or the backing file)")
	}
	return d.identity().Check()
}

func (d *Device) identity() guard.Identity {
	return guard.Identity{
		Serial: string(d.Serial), Backing: string(d.Backing), Reset: string(d.Reset),
		Confirmed: d.Confirm != "", Overwrite: d.LoseData != "",
	}
}

// Subject returns the device as a subject of a host.
func (d *Device) Subject(host string) assay.Subject {
	path := string(d.Path)
	return assay.Subject{
		ID: host + "/" + string(assay.KindBlock) + "/" + path, Kind: assay.KindBlock, Host: host, Name: path,
		Volume: Kind, Params: d.identity().Params(), Turns: true,
	}
}

// Read parses a device given as a flag: PATH,serial=SERIAL, and more of what a
// cluster.yaml may say: confirm=, lose-data=, reset=.
func Read(words string) (Device, error) {
	path, rest, _ := strings.Cut(words, ",")
	d := Device{Path: yamldoc.DevicePath(path)}
	if !strings.HasPrefix(path, "/dev/") {
		return d, assay.WithHint("PATH,serial=SERIAL, with a path below /dev/disk/by-id", "%q does not begin with a device", words)
	}
	for word := range strings.SplitSeq(rest, ",") {
		key, value, given := strings.Cut(word, "=")
		to, known := map[string]*yamldoc.Label{"serial": &d.Serial, "confirm": &d.Confirm, "lose-data": &d.LoseData, "reset": &d.Reset}[key]
		switch {
		case word == "" && rest == "":
		case key == "backing" && given:
			d.Backing = yamldoc.Path(value)
		case known && given:
			if err := to.UnmarshalText([]byte(value)); err != nil {
				return d, fmt.Errorf("%s=%s: not %w", key, value, err)
			}
		default:
			return d, assay.WithHint("serial=, backing=, confirm=, lose-data= or reset= may follow the path", "unexpected %q", word)
		}
	}
	return d, d.Validate()
}

// Look is what somebody must know about a device before confirming.
type Look struct {
	Host, Path string
	Named      string // its serial, or the file under it
	Model      string // "" unknown
	Bytes      int64
	Data       string // what is on it; "" where it is blank, or as assay left it
	Reset      string
	Asked      bool // overwriting it is not confirmed yet
	AskedData  bool // nor is losing the data on it
}

// Examine inspects a subject's device. The error says why it is not overwritten,
// whatever is confirmed.
func Examine(ctx context.Context, at assay.Place, s assay.Subject) (Look, error) {
	want, err := guard.IdentityOf(s.Params)
	if err != nil {
		return Look{}, err
	}
	f, data, err := guard.Inspect(ctx, at, s.Name, want)
	if err != nil {
		return Look{}, err
	}
	l := Look{
		Host: s.Host, Path: s.Name, Named: cmp.Or(want.Serial, want.Backing), Model: f.Model, Bytes: f.Bytes,
		Reset: want.Reset, Asked: !want.Confirmed, AskedData: data != "" && !want.Overwrite, Data: data,
	}
	return l, nil
}

// Confirmed returns a subject whose device may be overwritten as confirmed by somebody who
// saw the look: with the data on it then, not with data written later.
func Confirmed(s assay.Subject, l Look) (assay.Subject, error) {
	want, err := guard.IdentityOf(s.Params)
	want.Confirmed, want.Overwrite = true, l.Data != ""
	s.Params = want.Params()
	return s, err
}
