package html

// knownKind keeps a word that the style sheet does not know out of a class name.
func knownKind(kind string) string {
	if kind == "" {
		return ""
	}
	return kindOf(kind)
}

// kindOf is the class of a kind; what has none looks like what is absent.
func kindOf(kind string) string {
	switch kind {
	case "good", "bad", "limit", "doubt", "next":
		return kind
	case "note":
		return "limit"
	}
	return "next"
}

// iconOf names the picture of a kind.
func iconOf(kind string) string {
	if kind == "note" {
		return "info"
	}
	return kindOf(kind)
}
