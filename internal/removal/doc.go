// Package removal is rm -rf in shell for what assay made: it spares whatever
// somebody has mounted in there.
package removal
