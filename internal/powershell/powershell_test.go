package powershell

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"assay"
)

// Whatever a value contains, the script arrives as it was sent.
func TestNoValueIsReadAsAScript(t *testing.T) {
	const script = "# what it does\nAnswer @{\n\tis = $given.dir\n}\n"
	for _, dir := range []string{`D:\bench`, `a"; Remove-Item C:\ -Recurse`, "$(whoami)", "'; iex x; '", "a\nGIVEN\n", "@@", "ü\u2028\U0001F600"} {
		argv, err := Command(script, map[string]string{"dir": dir})
		if err != nil {
			t.Fatal(err)
		}
		var given map[string]string
		arrived, err := Given(argv, &given)
		if err != nil || arrived != "Answer @{\nis = $given.dir\n}\n" || given["dir"] != dir {
			t.Errorf("%q: %q with %q, %v", dir, arrived, given, err)
		}
		if argv[0] != Program || strings.ContainsFunc(argv[len(argv)-1], func(r rune) bool {
			return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", r)
		}) {
			t.Errorf("%q", argv)
		}
	}
	if _, err := Command(script, strings.Repeat("x", 20000)); err == nil {
		t.Error("a command that Windows does not take")
	}
}

func TestRead(t *testing.T) {
	said, err := Answer(map[string]string{"a": "b\r\n@@"})
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]string
	if err := Read([]byte("a profile's noise\r\n"+string(said)+"\r\n"), &v); err != nil || v["a"] != "b\r\n@@" {
		t.Errorf("%v, %v", v, err)
	}
	for _, text := range []string{"", "@@", "@@e30=", "@@?@@", "@@AAAA@@"} {
		if err := Read([]byte(text), &v); err == nil {
			t.Errorf("%q is an answer", text)
		}
	}
	if err := Read(nil, &v); !errors.Is(err, assay.ErrNoOutput) {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	for text, want := range map[string][]int{"[1,2]": {1, 2}, "3": {3}, "null": nil, `{"value":[4],"Count":1}`: {4}, "[]": {}} {
		var l List[int]
		if err := json.Unmarshal([]byte(text), &l); err != nil || !slices.Equal(l, want) {
			t.Errorf("%s: %v, %v", text, l, err)
		}
	}
	var l List[int]
	if json.Unmarshal([]byte(`"x"`), &l) == nil {
		t.Error("a word is a number")
	}
}
