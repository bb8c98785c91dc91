package dd

import (
	"bytes"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// recordsLine matches "1024+0 records in" and nothing else, in any language.
var recordsLine = lazyregexp.New(`^(?:\^C)?(?:\p{Han}{2,3} ?)?\d+\+\d+ ?[\p{L}\p{M} ]{4,40}$`)

// recordWords are the stems of the word for record in the translations of
// coreutils and busybox.
var recordWords = []string{
	"record", "Datens", "enregistrement", "registr", "rexistr", "erregistr", "レコード", "记录", "紀錄", "記錄", "读入", "写出", "레코드",
	"запис", "rekord", "zapis", "kayıt", "kirje", "záznam", "poster", "oppføring", "tietue", "εγγραφ", "înregistr", "įraš", "bản ghi",
}

// plainSummary matches an English summary whose line of records was lost: GNU
// and busybox, then BSD.
var plainSummary = lazyregexp.New(`^\d+ bytes (?:\([^()]*\) )?(?:copied, [\d.,e-]+ s(?:econds)?, |transferred (?:in )?[\d.,]+ ?s(?:ecs)?(?:onds)?,? \(?)[\d.]+ ?\w+/s(?:ec\))?$`)

// Format recognizes dd's output by its counts of records.
func (probe) Format() assay.Format {
	return assay.Format{Tool: "dd", Commands: []string{"dd"}, Begins: begins, Splits: splits}
}

func begins(line string) bool {
	if isComplaint(line) {
		return true
	}
	if strings.IndexByte(line, '+') < 0 && !strings.Contains(line, "bytes") {
		return false
	}
	line = plain(line)
	return isRecords(line) || plainSummary.MatchString(line)
}

// complaintLine matches dd's error about a file before it prints its records, in any
// language: dd: error writing 'x': No space left on device.
var complaintLine = lazyregexp.New(`^(?:\S*/)?dd: (?:[^:]*['’‘"»«“”` + "`" + `][^:]*|/dev/[^\s:]+): +\pL`)

func isComplaint(line string) bool {
	return strings.Contains(line, "dd: ") && complaintLine.MatchString(strings.TrimSpace(line))
}

// plain is a line with the blanks and the punctuation of translations as ASCII.
func plain(line string) string { return strings.TrimSpace(wide.Replace(line)) }

func isRecords(line string) bool {
	if !recordsLine.MatchString(line) {
		return false
	}
	for _, word := range recordWords {
		if strings.Contains(line, word) {
			return true
		}
	}
	return false
}

// tail is more bytes than the lines that one dd prints at its end.
const tail = 512

// splits finds the next dd: a line of records where two are there or a summary
// followed one, a summary where one is there already. Progress is none: each
// such line has more bytes than the one before, and the records come after it.
func splits(sofar []byte, next string) bool {
	next = plain(next)
	if !begins(next) {
		return true
	}
	if cut := len(sofar) - tail; cut > 0 {
		sofar = sofar[cut:]
	}
	records, ended := 0, false
	var last *summary
	for line := range bytes.Lines(sofar) {
		words := plain(string(line))
		if isRecords(words) {
			records++
		} else if s, err := summaryOf(words); err == nil && s != nil {
			last, ended = s, records > 0
		}
	}
	if isRecords(next) {
		return records >= 2 || ended
	}
	if isComplaint(next) {
		return ended || records > 0
	}
	if records > 0 || last == nil {
		return ended
	}
	s, err := summaryOf(next)
	return err != nil || s == nil || s.bytes <= last.bytes || s.seconds <= last.seconds
}
