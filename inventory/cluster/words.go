package cluster

import (
	"net/netip"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// Patterns of the words in the file, as in the schema.
var (
	// A name goes into ssh's arguments, file names and reports. It can be an
	// alias from the user's ssh configuration, so underscores are allowed.
	namePattern = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)
	// A host name has a letter in it: without one it is a number, which
	// resolvers read in surprising ways (1 is 0.0.0.1).
	addressPattern = lazyregexp.New(`^([A-Za-z]|[0-9][0-9._-]*[A-Za-z])[A-Za-z0-9._-]{0,252}$`)
	zonedPattern   = lazyregexp.New(`^fe80:[0-9A-Fa-f:.]*%[A-Za-z0-9._-]{1,15}$`)
	userPattern    = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}$`)
	labelPattern   = namePattern
	ratePattern    = lazyregexp.New(`^([1-9][0-9]{0,5}(?:\.[0-9]{1,3})?) ?([MGT])(?:bit/s|b/s|bit|bps|b)?$`)
)

const (
	leastMTU, mostMTU   = 576, 65535 // RFC 791: every host accepts 576 bytes; IP lengths have 16 bits
	leastPort, mostPort = 1, 65535
)

var rateUnits = map[string]float64{"M": 1e6, "G": 1e9, "T": 1e12}

// ParseRate parses a line rate such as 10G, 2.5G or "1000 Mb/s" into bit/s. ok
// is false for anything else; bytes are not a line rate.
func ParseRate(word string) (bits float64, ok bool) {
	m := ratePattern.FindStringSubmatch(word)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	return v * rateUnits[m[2]], err == nil
}

// FormatRate formats a rate in bit/s as ParseRate reads it; "" if it cannot.
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

// ValidName reports whether name is valid for a host, network, group or
// resource.
func ValidName(name string) bool { return namePattern.MatchString(name) }

// ValidUser reports whether word is a valid user name.
func ValidUser(word string) bool { return userPattern.MatchString(word) }

// ValidMTU reports whether a network can have an MTU of that many bytes.
func ValidMTU(bytes int) bool { return bytes >= leastMTU && bytes <= mostMTU }

// ValidAddress reports whether word can be given to ssh as an address.
func ValidAddress(word string) bool {
	if _, err := netip.ParseAddr(word); err == nil && !strings.Contains(word, "%") {
		return true
	} else if err == nil {
		return zonedPattern.MatchString(word)
	}
	return addressPattern.MatchString(word)
}

// SameAddress reports whether two addresses are the same to ssh.
func SameAddress(a, b string) bool { return sameAddress(a) == sameAddress(b) }

// sameAddress returns one form for equal addresses: fd00::1 and fd00:0::1,
// PVE1.lan and pve1.lan.
func sameAddress(word string) string {
	if ip, err := netip.ParseAddr(word); err == nil {
		return ip.Unmap().String()
	}
	return strings.ToLower(word)
}
