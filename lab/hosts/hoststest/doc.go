// Package hoststest gives tests a lab of hosts, and takes it down when they end.
package hoststest
