// Package verbstest types words to the labs' commands, as their tests do.
package verbstest
