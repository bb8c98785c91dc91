// Package all lists the kinds of volume. A new kind is a folder beside this one
// and a line here.
package all
