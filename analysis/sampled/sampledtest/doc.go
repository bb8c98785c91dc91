// Package sampledtest makes up clusters with known faults, for tests of who is blamed.
package sampledtest
