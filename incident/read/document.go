package read

import (
	"bytes"
	"encoding/json"
	"strings"

	"assay"
	"assay/incident"
	"assay/probe/smart"
)

// document is a multi-line JSON document being collected.
type document struct {
	text  bytes.Buffer
	first int
	depth int
}

// longestDocument is the size limit of one document.
const longestDocument = 4 << 20

// beginDocument starts a document at the line that identifies it as lsblk -J or
// smartctl --json output. Its opening brace came before.
func (r *Reader) beginDocument(text string, n int) {
	if r.document != nil {
		return
	}
	r.document = &document{first: n}
	line := strings.TrimSpace(text)
	if !strings.HasPrefix(line, "{") {
		line = "{" + line
	}
	r.inDocument([]byte(line))
}

// inDocument adds a line to the document, and parses the document when it ends.
func (r *Reader) inDocument(line []byte) {
	d := r.document
	if d.text.Len()+len(line) > longestDocument {
		r.document = nil
		return
	}
	d.text.Write(line)
	d.text.WriteByte('\n')
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			d.depth++
		case c == '}' || c == ']':
			d.depth--
		}
	}
	if d.depth <= 0 {
		r.endDocument()
	}
}

func (r *Reader) endDocument() {
	d := r.document
	r.document = nil
	if d == nil {
		return
	}
	if bytes.Contains(d.text.Bytes(), []byte(`"blockdevices"`)) {
		r.blockDevices(d)
		return
	}
	r.smartReport(d)
}

// blockJSON is a device in lsblk -J output.
type blockJSON struct {
	Name        string      `json:"name"`
	Tran        string      `json:"tran"`
	Vendor      string      `json:"vendor"`
	Model       string      `json:"model"`
	Mountpoint  string      `json:"mountpoint"`
	Mountpoints []*string   `json:"mountpoints"`
	Children    []blockJSON `json:"children"`
}

func (r *Reader) blockDevices(d *document) {
	var doc struct {
		Devices []blockJSON `json:"blockdevices"`
	}
	if json.Unmarshal(d.text.Bytes(), &doc) != nil {
		return
	}
	r.blockTree(doc.Devices, nil, d.first, 0)
}

func (r *Reader) blockTree(all []blockJSON, above *incident.Device, n, depth int) {
	if depth > 32 {
		return
	}
	for _, b := range all {
		name := strings.TrimPrefix(b.Name, "/dev/")
		if !isDevice(name) {
			r.blockTree(b.Children, above, n, depth+1)
			continue
		}
		vendor, model := strings.TrimSpace(b.Vendor), strings.TrimSpace(b.Model)
		dev := r.know(name, blockTransport(name, strings.ToLower(b.Tran), vendor+" "+model+" "), strings.Join(strings.Fields(name+" "+b.Tran+" "+vendor+" "+model), " "), n)
		dev.Vendor, dev.Model, dev.Mount = vendor, model, b.Mountpoint
		for _, m := range b.Mountpoints {
			if m != nil && *m != "" {
				dev.Mount = *m
			}
		}
		r.mounted(dev, dev.Mount, n)
		if above != nil && above.Mount == "" {
			above.Mount = dev.Mount
		}
		r.blockTree(b.Children, dev, n, depth+1)
	}
}

// smartReport parses smartctl --json with the parser used for measurements.
func (r *Reader) smartReport(d *document) {
	figures, err := smart.New().(assay.Measurer).Parse(assay.Transcript{Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: d.text.Bytes()}}}})
	if err != nil {
		return
	}
	lines := strings.Split(d.text.String(), "\n")
	for _, m := range figures {
		r.drive = incident.ControllerOf(strings.TrimPrefix(m.Labels["drive"], "/dev/"))
		text := m.Metric
		if m.Line > 0 && m.Line <= len(lines) {
			text = strings.TrimSpace(lines[m.Line-1])
		}
		n := d.first + max(m.Line-1, 0)
		switch m.Metric {
		case "smart.passed":
			if m.Value == 0 {
				r.smart(incident.SMARTFailed, 1, text, n)
			} else {
				r.smart(incident.SMARTClean, 0, text, n)
			}
		case "smart.media_errors":
			if m.Value > 0 {
				r.smart(incident.SMARTMedia, m.Value, text, n)
			}
		case "smart.percentage_used":
			if m.Value >= 100 {
				r.smart(incident.SMARTWorn, m.Value, text, n)
			}
		}
	}
}
