// Package verbstest runs the labs' commands as if typed, for their tests.
package verbstest
