package sensors

import (
	"bytes"
	"fmt"
	"strings"

	"assay/internal/jsondoc"
	"assay/internal/lazyregexp"
)

var inputField = lazyregexp.New(`^temp\d+_input$`)

// fromJSON parses the output of sensors -j: chips, their features, and the
// features' values. first is the line on which it begins.
func fromJSON(doc []byte, first int) ([]sensor, error) {
	n, err := jsondoc.Parse(repair(doc), first)
	if err != nil {
		return nil, fmt.Errorf("sensors -j: line %d: %w", first, err)
	}
	var found []sensor
	chips := []jsondoc.Node{n}
	if n.IsList() {
		chips = n.List()
	}
	for _, doc := range chips {
		doc.Fields(func(chip string, features jsondoc.Node) {
			features.Fields(func(label string, values jsondoc.Node) {
				values.Fields(func(name string, value jsondoc.Node) {
					v, ok := value.Number()
					if !ok || !inputField.MatchString(name) {
						return
					}
					s := sensor{chip: chip, label: label, value: v, line: value.Line()}
					s.crit, _ = values.At(strings.TrimSuffix(name, "input") + "crit").Number()
					found = append(found, s)
				})
			})
		})
	}
	return found, nil
}

var (
	bareWord  = lazyregexp.New(`^(?i)[-+]?(?:nan|inf(?:inity)?)\b`)
	errorLine = lazyregexp.New(`(?m)^ERROR:.*$`)
)

// repair turns the output of lm-sensors before 3.6.1 into JSON, line by line:
// null for a bare nan, no comma before a closing brace, no error lines. Quoted
// text stays as it is.
func repair(doc []byte) []byte {
	doc = errorLine.ReplaceAll(doc, nil)
	var out bytes.Buffer
	comma := -1 // offset of the last comma that only blanks followed
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; c {
		case '"':
			end := endOfString(doc, i)
			out.Write(doc[i:end])
			i, comma = end-1, -1
			continue
		case ',':
			comma = out.Len()
		case '}':
			if comma >= 0 {
				out.Bytes()[comma] = ' '
			}
			comma = -1
		case ' ', '\t', '\r', '\n':
		case 'n', 'N', 'i', 'I', '-', '+':
			comma = -1
			if word := bareWord.Find(doc[i:min(len(doc), i+12)]); word != nil {
				out.WriteString("null")
				i += len(word) - 1
				continue
			}
		default:
			comma = -1
		}
		out.WriteByte(doc[i])
	}
	return out.Bytes()
}

// endOfString returns the index after the string that begins at i.
func endOfString(doc []byte, i int) int {
	for i++; i < len(doc); i++ {
		switch doc[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(doc)
}
