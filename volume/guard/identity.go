package guard

import (
	"fmt"
	"path"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Identity identifies the intended device beyond its path, and holds what was
// confirmed.
type Identity struct {
	Serial    string // as /sys or udev give it; "" for a loop device
	Backing   string // backing file of a loop device, as its node names it
	Overwrite bool   // confirmed: file system signatures and the like may be overwritten
	Confirmed bool   // somebody who saw the device confirmed that it may be overwritten at all
	Reset     string // what is done to all of it before and after: "", ResetDiscard or ResetFormat
}

// Keys of an identity's parts, in the parameters of a subject and in a receipt.
const (
	paramSerial    = "serial"
	paramBacking   = "backing"
	paramOverwrite = "overwrite"
	paramConfirmed = "confirmed"
	paramReset     = "reset"
)

// Params returns the identity as parameters of a subject.
func (i Identity) Params() map[string]string {
	params := map[string]string{}
	for name, value := range map[string]string{paramSerial: i.Serial, paramBacking: i.Backing, paramReset: i.Reset} {
		if value != "" {
			params[name] = value
		}
	}
	if i.Overwrite {
		params[paramOverwrite] = "confirmed"
	}
	if i.Confirmed {
		params[paramConfirmed] = "yes"
	}
	return params
}

// IdentityOf reads what Params returns.
func IdentityOf(params map[string]string) (Identity, error) {
	i := Identity{
		Serial: params[paramSerial], Backing: params[paramBacking], Reset: params[paramReset],
		Overwrite: params[paramOverwrite] != "", Confirmed: params[paramConfirmed] != "",
	}
	return i, i.Check()
}

// inWords parses an identity in words, such as "serial 4C53, overwrite": stored
// runs and journals have them as a subject's Source and in receipts.
func inWords(text string) map[string]string {
	var i Identity
	words, overwrite := strings.CutSuffix(text, ", overwrite")
	i.Overwrite = overwrite
	if serial, is := strings.CutPrefix(words, "serial "); is {
		i.Serial = serial
	} else if file, is := strings.CutPrefix(words, "backing file "); is {
		i.Backing = file
	}
	return i.Params()
}

// word matches what may describe a device: printable, and without the comma
// that ends it in words.
var word = lazyregexp.New(`^[!-+\--~][ -+\--~]{0,254}$`)

// Check refuses an identity that names no device.
func (i Identity) Check() error {
	switch {
	case i.Serial == "" && i.Backing == "":
		return assay.WithHint("find it with: lsblk -o NAME,SERIAL,MODEL,SIZE", "a device is overwritten only if its serial number is given")
	case i.Serial != "" && i.Backing != "":
		return fmt.Errorf("serial %q and backing file %q: give only one of them", i.Serial, i.Backing)
	case i.Serial != "" && !word.MatchString(i.Serial):
		return fmt.Errorf("invalid serial %q", i.Serial)
	case i.Backing != "" && (!word.MatchString(i.Backing) || !path.IsAbs(i.Backing)):
		return fmt.Errorf("backing file %q is not an absolute path", i.Backing)
	case i.Reset != "" && resets[i.Reset].script == "":
		return fmt.Errorf("reset: %q is neither %s nor %s", i.Reset, ResetDiscard, ResetFormat)
	}
	return nil
}

// Plain reports whether a path is a device directly in /dev.
func Plain(device string) bool { return plainDevice.MatchString(device) }

// ByID reports whether a path is a udev link to a device.
func ByID(device string) bool { return byID.MatchString(device) }

// plainDevice matches a device directly in /dev, byID a udev link, and inPod the
// prefix under which a pod sees the node's /dev: see nodeDevices.
var (
	plainDevice = lazyregexp.New(`^/dev/[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$`)
	byID        = lazyregexp.New(`^/dev/disk/by-(id|path)/[A-Za-z0-9][A-Za-z0-9._:+@#=-]{0,254}$`)
	inPod       = lazyregexp.New(`^/node/[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?/dev/`)
)
