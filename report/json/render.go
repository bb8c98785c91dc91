package json

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"assay/internal/oneline"
	"assay/report/block"
)

// Render writes a document for programs: the members of its data, and next to them
// "document", the blocks that people are shown. Numbers are in base units and not
// rounded, texts unchanged: what must not be printed raw is escaped. The error is
// w's, or says that the data is not an object.
func Render(w io.Writer, d block.Document) error {
	members, err := object(d.Data)
	if err != nil {
		return err
	}
	own, err := encoded(struct {
		Document any `json:"document"`
	}{struct {
		Schema string `json:"schema"`
		block.Document
	}{block.Version, d}})
	if err != nil {
		return err
	}
	text := own
	if len(members) > len("{}") {
		text = append(append(members[:len(members)-1], ','), own[1:]...)
	}
	var b bytes.Buffer
	b.Grow(2 * len(text)) // about what indentation takes
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = w.Write(oneline.EscapeJSON(b.Bytes()))
	return err
}

// object returns data as a JSON object, empty without data.
func object(data any) ([]byte, error) {
	if data == nil {
		return []byte("{}"), nil
	}
	text, err := encoded(data)
	if err == nil && (len(text) == 0 || text[0] != '{') {
		err = fmt.Errorf("the data of a document is %T, and not an object", data)
	}
	return text, err
}

// encoded keeps arrows and units readable. The output of a json.Marshaler is used as it is:
// encoding/json would parse all of it again.
func encoded(v any) ([]byte, error) {
	if m, does := v.(json.Marshaler); does {
		text, err := m.MarshalJSON()
		return bytes.TrimSpace(text), err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
