// Package promised compares the predictions of assay predict for a change with
// measurements after it, and tabulates the errors.
package promised
