package cluster

import (
	"net/netip"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// The words of the file, as the schema has them too.
var (
	// A name goes into ssh's arguments, file names and reports. It can be an
	// alias of the user's ssh configuration, so that it may have underscores.
	namePattern = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)
	// An address by name has a letter in it: what has none is numbers, which
	// resolvers read in surprising ways (1 is 0.0.0.1).
	addressPattern = lazyregexp.New(`^([A-Za-z]|[0-9][0-9._-]*[A-Za-z])[A-Za-z0-9._-]{0,252}$`)
	zonedPattern   = lazyregexp.New(`^fe80:[0-9A-Fa-f:.]*%[A-Za-z0-9._-]{1,15}$`)
	userPattern    = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}$`)
	labelPattern   = namePattern
	ratePattern    = lazyregexp.New(`^([1-9][0-9]{0,5}(?:\.[0-9]{1,3})?) ?([MGT])(?:bit/s|b/s|bit|bps|b)?$`)
)

const (
	leastMTU, mostMTU   = 576, 65535 // RFC 791 has every host take 576 bytes; IP counts in 16 bits
	leastPort, mostPort = 1, 65535
)

var rateUnits = map[string]float64{"M": 1e6, "G": 1e9, "T": 1e12}

// ParseRate reads a line rate such as 10G, 2.5G or "1000 Mb/s" in bit/s. ok is
// false for anything else; bytes are no line rate.
func ParseRate(word string) (bits float64, ok bool) {
	m := ratePattern.FindStringSubmatch(word)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	return v * rateUnits[m[2]], err == nil
}

// FormatRate writes a rate in bit/s as ParseRate reads it; "" for one that it
// does not.
func FormatRate(bits float64) string {
	for _, unit := range []string{"T", "G", "M"} {
		if bits >= rateUnits[unit] {
			word := strconv.FormatFloat(bits/rateUnits[unit], 'f', -1, 64) + unit
			if _, ok := ParseRate(word); !ok {
				return ""
			}
			return word
		}
	}
	return ""
}

// ValidName reports whether a host, network, group or resource may be called so.
func ValidName(name string) bool { return namePattern.MatchString(name) }

// ValidUser reports whether word can be a user's name.
func ValidUser(word string) bool { return userPattern.MatchString(word) }

// ValidMTU reports whether a network can have an MTU of so many bytes.
func ValidMTU(bytes int) bool { return bytes >= leastMTU && bytes <= mostMTU }

// ValidAddress reports whether ssh can be told to connect to word.
func ValidAddress(word string) bool {
	if _, err := netip.ParseAddr(word); err == nil && !strings.Contains(word, "%") {
		return true
	} else if err == nil {
		return zonedPattern.MatchString(word)
	}
	return addressPattern.MatchString(word)
}

// SameAddress reports whether two words lead ssh to the same place.
func SameAddress(a, b string) bool { return sameAddress(a) == sameAddress(b) }

// sameAddress returns addresses that are one the same form: fd00::1 and fd00:0::1,
// PVE1.lan and pve1.lan.
func sameAddress(word string) string {
	if ip, err := netip.ParseAddr(word); err == nil {
		return ip.Unmap().String()
	}
	return strings.ToLower(word)
}
