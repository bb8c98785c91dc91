package session

import "strings"

func list(names []string) string { return strings.Join(names, ", ") }
