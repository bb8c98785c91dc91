// Package all lists the kinds of place. A new kind is a folder next to this one
// and a line here; record and replay decorate places and are listed as such.
package all
