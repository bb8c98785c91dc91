// Package sensors reads the temperatures that lm-sensors prints, as text or as
// JSON (sensors -j, -u, -A, -f), whoever ran it. It ignores voltages and fans.
//
// It only parses: it runs nothing, queries no sensor, and never takes the value
// of an unconnected input for a temperature.
package sensors
