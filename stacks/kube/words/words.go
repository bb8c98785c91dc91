// Package words has the Kubernetes words that a cluster.yaml may use, as they are
// parsed. It is separate from package kube, which brings in a client.
package words

import (
	"errors"
	"regexp"
	"sync"
)

// longest is the maximum length of a Kubernetes name (RFC 1123), in bytes. It is
// apart from the patterns, which would take a millisecond to compile with it.
const longest = 253

var patterns = sync.OnceValue(func() (p struct{ quantity, name, secret *regexp.Regexp }) {
	p.quantity = regexp.MustCompile(`^[1-9][0-9]*(\.[0-9]+)?(Ki|Mi|Gi|Ti|k|M|G|T|m)?$`)
	p.name = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)
	p.secret = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9.-]*$`)
	return p
})

// Quantity is an amount in Kubernetes notation.
type Quantity string

// UnmarshalText implements encoding.TextUnmarshaler.
func (q *Quantity) UnmarshalText(text []byte) error {
	*q = Quantity(text)
	if !patterns().quantity.Match(text) {
		return errors.New("a Kubernetes quantity such as 5Gi")
	}
	return nil
}

// Name is the name of a Kubernetes object (RFC 1123).
type Name string

// UnmarshalText implements encoding.TextUnmarshaler.
func (n *Name) UnmarshalText(text []byte) error {
	*n = Name(text)
	if len(text) > longest || !patterns().name.Match(text) {
		return errors.New("a Kubernetes name: lower-case letters, digits, dots and hyphens")
	}
	return nil
}

// IsSecret reports whether a word names a secret as NAMESPACE/NAME.
func IsSecret(word string) bool { return len(word) <= longest && patterns().secret.MatchString(word) }
