// Package promised holds what assay predict says of a change against what was measured
// after it, and tables the errors.
package promised
