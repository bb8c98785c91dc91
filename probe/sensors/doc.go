// Package sensors reads the temperatures that lm-sensors prints, as text or as
// JSON (sensors -j, -u, -A, -f), whoever ran it. Voltages and fans are left out.
//
// It only reads: it runs nothing, asks no sensor, and never takes what an input
// without a sensor says for a temperature.
package sensors
