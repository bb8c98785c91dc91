// Package incident holds the basic types for failures: events that hosts logged, the
// layer that may be to blame, and what a block device is built on. It has no I/O and
// no rules: incident/read turns texts into events, incident/blame judges them.
package incident
