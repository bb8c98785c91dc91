// Package incident holds the nouns of what broke: events that hosts logged, the layer
// that may be to blame, and what stands under a block device. It has no I/O and no
// rules: incident/read makes events of texts, incident/blame judges them.
package incident
