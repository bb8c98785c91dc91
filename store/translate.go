package store

import (
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"assay/internal/lazyregexp"
)

// translated caches the results of translate: the store has few queries.
var translated sync.Map

// translate returns a query of the store with PostgreSQL's placeholders: ?
// becomes $1, $2 and so on, and ?1 becomes $1. Quoted text is unchanged.
func translate(query string) string {
	if known, ok := translated.Load(query); ok {
		return known.(string)
	}
	n := 0
	out := tokens.ReplaceAllStringFunc(query, func(token string) string {
		switch {
		case token[0] != '?':
			return token
		case token != "?":
			return "$" + token[1:]
		}
		n++
		return fmt.Sprint("$", n)
	})
	translated.Store(query, out)
	return out
}

// tokens matches what translate looks at: quoted text and placeholders.
var tokens = lazyregexp.New(`'[^']*'|"[^"]*"|\?[0-9]*`)

// substitute is the control character SOH, which stands for the byte given by
// the next two hexadecimal digits. It is the lowest that PostgreSQL stores, so
// NUL still sorts before everything else.
const substitute = "\x01"

// toText returns text that PostgreSQL can store, which is UTF-8 without NUL: all
// other bytes, and SOH itself, are written as SOH and two digits. Hardly any text
// needs it; a tool's message may.
func toText(s string) string {
	if utf8.ValidString(s) && !strings.ContainsAny(s, "\x00"+substitute) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || r == 0 || s[i] == substitute[0] {
			fmt.Fprintf(&b, "%s%02x", substitute, s[i])
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// fromText reverses toText.
func fromText(s string) string {
	if !strings.Contains(s, substitute) {
		return s
	}
	return substituted.ReplaceAllStringFunc(s, func(code string) string {
		b, err := hex.DecodeString(code[1:])
		if err != nil {
			return code
		}
		return string(b)
	})
}

var substituted = lazyregexp.New(substitute + `[0-9a-f]{2}`)
