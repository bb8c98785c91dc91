// Package all lists the probes. A new one is a folder beside this one and a
// line here.
package all
