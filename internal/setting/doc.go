// Package setting reads the settings that a suite gives a case, for probes that have many.
package setting
