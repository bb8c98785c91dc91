// Package words holds the words of Kubernetes that a cluster.yaml may use, as they
// are read. It is apart from package kube, which brings a client along.
package words

import (
	"errors"
	"regexp"
	"sync"
)

// longest is what a name of Kubernetes may have at most (RFC 1123), in bytes. It
// stands beside the patterns, for in them it would take a millisecond to compile.
const longest = 253

var patterns = sync.OnceValue(func() (p struct{ quantity, name, secret *regexp.Regexp }) {
	p.quantity = regexp.MustCompile(`^[1-9][0-9]*(\.[0-9]+)?(Ki|Mi|Gi|Ti|k|M|G|T|m)?$`)
	p.name = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)
	p.secret = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9.-]*$`)
	return p
})

// Quantity is an amount as Kubernetes writes it.
type Quantity string

// UnmarshalText implements encoding.TextUnmarshaler.
func (q *Quantity) UnmarshalText(text []byte) error {
	*q = Quantity(text)
	if !patterns().quantity.Match(text) {
		return errors.New("a Kubernetes quantity such as 5Gi")
	}
	return nil
}

// Name is the name of an object of Kubernetes (RFC 1123).
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
