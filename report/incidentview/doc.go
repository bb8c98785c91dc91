// Package incidentview words what incident/blame found, as blocks: the verdict first, then
// the lines it rests on, what clears the other layers, what to do, and one timeline.
package incidentview
