// Package sampled finds the part at fault when only some of the links between many
// hosts were measured. A single link has few figures, but each host and rack has
// many: whatever all bad ways share, and no good ones do, is to blame.
package sampled
