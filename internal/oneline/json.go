package oneline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON encodes a value, with arrows and units unescaped: only what must not be
// printed raw is escaped (\u009b, \u202e), so that nothing is lost. indent is what
// each level begins with; "" gives one line. The result ends with a line break.
func JSON(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return EscapeJSON(b.Bytes()), nil
}

// EscapeJSON escapes, in valid JSON, what must not be printed raw and
// encoding/json leaves as it is. JSON has none of it outside strings.
func EscapeJSON(text []byte) []byte {
	var out []byte
	done := 0 // bytes of text already in out
	for at := 0; at < len(text); {
		if text[at] < 0x7f { // most of it is
			at++
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		if unescaped(r) {
			out = appendEscaped(append(out, text[done:at]...), r)
			done = at + size
		}
		at += size
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}

func unescaped(r rune) bool { return r >= 0x7f && Raw(r) }

func appendEscaped(out []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}
