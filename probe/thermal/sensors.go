package thermal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// ParseSensors reads what sensors -j of lm-sensors printed: one thermal.idle a
// temperature, since nothing says that the machine was under load. Labels:
// sensor (chip/name), kind (cpu, drive, other), source, and headline on the
// first one where it is a CPU's.
//
// lm-sensors prints what no JSON reader takes: bare nan, a comma too many where
// a value could not be read, and the same name twice in one chip. All three are
// read here.
func ParseSensors(doc []byte) ([]assay.Measurement, error) {
	dec := json.NewDecoder(bytes.NewReader(repair(doc)))
	dec.UseNumber()
	w := sensorWalk{dec: dec}
	if err := w.object(nil); err != nil {
		return nil, fmt.Errorf("sensors -j: %w", err)
	}
	if len(w.found) == 0 {
		return nil, fmt.Errorf("sensors -j: no temperature in the output: %w", assay.ErrNoOutput)
	}
	sortCurves(w.found)
	var ms []assay.Measurement
	for i, c := range w.found {
		labels := map[string]string{"sensor": c.key, "kind": c.kind, "source": "sensors -j"}
		if i == 0 && c.kind == "cpu" {
			labels["headline"] = "1"
		}
		ms = append(ms, assay.Measurement{Metric: "thermal.idle", Value: c.load, Unit: assay.Celsius, Labels: labels})
	}
	return ms, nil
}

// sensorWalk goes through the tokens, for a decoder into a map would keep only
// the last of several members of one name.
type sensorWalk struct {
	dec   *json.Decoder
	found []curve
}

var tempInput = lazyregexp.New(`^temp[0-9]+_input$`)

// object reads one object at path: chip, feature, subfeature.
func (w *sensorWalk) object(path []string) error {
	token, err := w.dec.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('{') {
		return fmt.Errorf("%v is not an object", token)
	}
	for w.dec.More() {
		token, err := w.dec.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		if err := w.member(append(slices.Clone(path), name)); err != nil {
			return err
		}
	}
	_, err = w.dec.Token()
	return err
}

func (w *sensorWalk) member(path []string) error {
	var raw json.RawMessage
	if err := w.dec.Decode(&raw); err != nil {
		return err
	}
	if len(raw) > 0 && raw[0] == '{' && len(path) < 3 {
		inner := sensorWalk{dec: json.NewDecoder(bytes.NewReader(raw)), found: w.found}
		err := inner.object(path)
		w.found = inner.found
		return err
	}
	if len(path) != 3 || !tempInput.MatchString(path[2]) {
		return nil
	}
	if v, ok := finite(string(raw)); ok && v >= coldest && v <= hottest {
		key := w.unique(path[0]+"/"+path[1], path[2])
		w.found = append(w.found, curve{sensor: sensor{kind: kindOfChip(path[0]), key: key}, load: v})
	}
	return nil
}

// unique keeps sensors of one name apart by the file they come from.
func (w *sensorWalk) unique(key, input string) string {
	same := func(c curve) bool { return c.key == key }
	if slices.ContainsFunc(w.found, same) {
		return key + " " + strings.TrimSuffix(input, "_input")
	}
	return key
}

// kindOfChip tells by the driver, which is the first word of the chip's name.
func kindOfChip(chip string) string {
	driver, _, _ := strings.Cut(chip, "-")
	switch driver {
	case "coretemp", "k10temp", "k8temp", "fam15h_power", "zenpower", "cpu_thermal", "via_cputemp":
		return "cpu"
	case "nvme", "drivetemp":
		return "drive"
	}
	return "other"
}

var (
	bareNaN    = lazyregexp.New(`(?i)^[-+]?nan|^[-+]?inf(inity)?`)
	errorLines = lazyregexp.New(`(?m)^ERROR:.*$`)
)

// repair makes JSON of what sensors printed: nothing before it, no error lines (they are written
// to the standard error, and pasted along), null for nan, no comma before a
// closing brace. Text within quotes stays as it is.
func repair(doc []byte) []byte {
	doc = errorLines.ReplaceAll(doc, nil)
	if start := bytes.IndexByte(doc, '{'); start > 0 {
		doc = doc[start:]
	}
	var out bytes.Buffer
	for i := 0; i < len(doc); {
		switch c := doc[i]; {
		case c == '"':
			end := endOfString(doc, i)
			out.Write(doc[i:end])
			i = end
		case c == ',' && closes(doc[i+1:]):
			i++
		case bareNaN.Match(doc[i:min(len(doc), i+10)]):
			out.WriteString("null")
			i += len(bareNaN.Find(doc[i:min(len(doc), i+10)]))
		default:
			out.WriteByte(c)
			i++
		}
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

// closes reports whether the next thing is a closing brace.
func closes(rest []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("}"))
}
