package rawblock

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"assay"
)

// Identity says which device is meant beside its path, and what was confirmed.
type Identity struct {
	Serial    string // as /sys or udev give it; "" for a loop device
	Backing   string // the file under a loop device, as its node names it
	Overwrite bool   // that marks of file systems and the like may be overwritten was confirmed
}

// String gives the identity as the Source of a subject, in words.
func (i Identity) String() string {
	words := "serial " + i.Serial
	if i.Serial == "" {
		words = "backing file " + i.Backing
	}
	if i.Overwrite {
		words += ", overwrite"
	}
	return words
}

// ParseIdentity reads what String gives.
func ParseIdentity(source string) (Identity, error) {
	var i Identity
	words, overwrite := strings.CutSuffix(source, ", overwrite")
	i.Overwrite = overwrite
	if serial, is := strings.CutPrefix(words, "serial "); is {
		i.Serial = serial
	} else if file, is := strings.CutPrefix(words, "backing file "); is {
		i.Backing = file
	}
	if err := i.check(); err != nil {
		return i, fmt.Errorf("%q: %w", source, err)
	}
	return i, nil
}

// word is what may be said of a device: printable, and without the comma that
// ends it in String.
var word = regexp.MustCompile(`^[!-+\--~][ -+\--~]{0,254}$`)

func (i Identity) check() error {
	switch {
	case i.Serial == "" && i.Backing == "":
		return assay.WithHint("see it with: lsblk -o NAME,SERIAL,MODEL,SIZE", "a device is overwritten only where its serial number is given")
	case i.Serial != "" && i.Backing != "":
		return fmt.Errorf("serial %q and backing file %q: a device has one or the other", i.Serial, i.Backing)
	case i.Serial != "" && !word.MatchString(i.Serial):
		return fmt.Errorf("serial %q is none", i.Serial)
	case i.Backing != "" && (!word.MatchString(i.Backing) || !path.IsAbs(i.Backing)):
		return fmt.Errorf("backing file %q is not an absolute path", i.Backing)
	}
	return nil
}

// plainDevice is a device right in /dev, byID one that udev names, inPod what a pod
// sees of the node's /dev before its name there: see nodeDevices.
var (
	plainDevice = regexp.MustCompile(`^/dev/[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$`)
	byID        = regexp.MustCompile(`^/dev/disk/by-(id|path)/[A-Za-z0-9][A-Za-z0-9._:+@#=-]{0,254}$`)
	inPod       = regexp.MustCompile(`^/node/[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?/dev/`)
)
