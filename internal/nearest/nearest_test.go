package nearest

import "testing"

func TestName(t *testing.T) {
	names := []string{"baseline", "quick", "network"}
	for word, want := range map[string]string{
		"basline": "baseline", "Quick": "quick", "quik": "quick", "base": "baseline",
		"netwrok": "network", "zzzz": "", "": "",
	} {
		if got := Name(word, names); got != want {
			t.Errorf("Name(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestHint(t *testing.T) {
	for word, want := range map[string]string{"quik": `did you mean "quick"?`, "zzzz": ""} {
		if got := Hint(word, []string{"quick"}); got != want {
			t.Errorf("Hint(%q) = %q, want %q", word, got, want)
		}
	}
}
