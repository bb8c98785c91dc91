// Package groups removes the control groups of a lab, which outlive its
// processes.
package groups
