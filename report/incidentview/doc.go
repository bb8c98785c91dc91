// Package incidentview presents what incident/blame found, as blocks: the verdict first,
// then its evidence, what clears the other layers, what to do, and one timeline.
package incidentview
