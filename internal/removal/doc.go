// Package removal is the shell's rm -rf for what assay made: it leaves alone what
// somebody has mounted in there.
package removal
