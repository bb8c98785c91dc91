package html

// knownKind keeps kinds that the style sheet does not know out of class names.
func knownKind(kind string) string {
	if kind == "" {
		return ""
	}
	return kindOf(kind)
}

// kindOf returns the class of a kind; a kind without one looks like an absence.
func kindOf(kind string) string {
	switch kind {
	case "good", "bad", "limit", "doubt", "next":
		return kind
	case "note":
		return "limit"
	}
	return "next"
}

// iconOf names the icon of a kind.
func iconOf(kind string) string {
	if kind == "note" {
		return "info"
	}
	return kindOf(kind)
}
