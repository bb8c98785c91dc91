// Package sampled finds what is at fault where only some of the links between many
// hosts were measured. No link has many figures, but each host and each rack does:
// what all bad ways share, and no good ones do, is to blame.
package sampled
