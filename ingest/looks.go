package ingest

import (
	"strings"
)

// looks records what lines outside any output look like, so that an
// unrecognised input can be described.
type looks struct {
	lines, prose, commas, keys, times, letters, foreign int
	first                                               string
}

func newLooks() *looks { return &looks{} }

// mostLooked is how many lines are looked at.
const mostLooked = 1000

func (l *looks) line(_ int, text string) {
	text = strings.TrimSpace(text)
	if text == "" || l.lines >= mostLooked {
		return
	}
	if l.lines++; l.first == "" {
		l.first = text
	}
	words := strings.Fields(text)
	switch {
	case strings.Count(text, ",") >= 3 && len(words) <= strings.Count(text, ",")+3:
		l.commas++
	case strings.Contains(words[0], ":") && len(words[0]) >= 5 && words[0][0] >= '0' && words[0][0] <= '9',
		len(words) > 2 && strings.Count(words[2], ":") == 2, len(words) > 1 && strings.Count(words[1], ":") == 2:
		l.times++
	case len(words) >= 2 && len(words) < 8 && (strings.HasSuffix(words[0], ":") || strings.Contains(text, "=")):
		l.keys++
	case isSentence(words):
		l.prose++
	}
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			l.letters++
		case r > 0x24f:
			l.foreign++
		}
	}
}

// isSentence reports whether words are running text: mostly words rather than
// figures, among them joining words that tables and logs lack.
func isSentence(words []string) bool {
	plain, joints := 0, 0
	for _, word := range words {
		word = strings.ToLower(strings.Trim(word, `.,;:!?()"'*_`))
		if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz'’-") == "" || word != "" && word[0] >= 0x80 {
			plain++
		}
		if joining[word] {
			joints++
		}
	}
	return len(words) >= 6 && joints >= 1 && plain*10 >= len(words)*7
}

// joining are the function words of sentences, in the languages of forums.
var joining = func() map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(`the a an and or but is are was were be been it this that these with for from to of in on at as if so not no my i we you have has had can will would
		der die das und oder ist sind war ein eine mit für von zu im auf nicht ich wir
		le la les et ou est sont une avec pour de du des dans pas je nous
		el los las y es son con para por en no que il di che per non`) {
		all[word] = true
	}
	return all
}()

// words describes what the lines look like and quotes the first one.
func (l *looks) words() string {
	kind := "other text"
	switch {
	case strings.HasPrefix(l.first, "<"):
		kind = "HTML or XML"
	case strings.HasPrefix(l.first, "{") || strings.HasPrefix(l.first, "["):
		kind = "truncated JSON"
	case l.commas*2 > l.lines:
		kind = "a CSV file without the columns host, subject, metric, value, unit"
	case l.times*2 > l.lines:
		kind = "a log"
	case l.foreign > l.letters:
		kind = "text in an unsupported language"
	case l.prose*2 > l.lines:
		kind = "prose"
	case l.keys*2 > l.lines:
		kind = "a list of settings"
	}
	return kind + `, beginning "` + cut(l.first, 60) + `"`
}

// cut truncates a text to at most that many letters.
func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
