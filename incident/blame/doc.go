// Package blame decides which layer broke. Each rule is a pure function of what was
// read (incident.Log) and names a cause with the lines that show it, what clears the
// other layers, and the command that would confirm it. Judge weighs the causes: one
// that another explains is a consequence, and if two remain it says so. A wrong
// accusation is worse than none.
package blame
