package ingest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"

	"assay"
)

// Bounds that keep the memory for any input to a few tens of megabytes.
const (
	mostLine = 16 << 20 // B, of a piece of a line, and of a line that is not JSON
	peeked   = 8 << 10  // B, inspected to detect the kind of file
)

// lineReader returns the lines of an input as UTF-8, without line endings. A line
// longer than mostLine comes in pieces: JSON is often printed on one line.
type lineReader struct {
	in    *bufio.Reader
	wide  binary.ByteOrder // for UTF-16; nil otherwise
	buf   []byte
	n     int  // lines returned, including the current one
	later bool // the last piece is not its line's first
	more  bool // the last piece is not its line's last
}

// newLineReader inspects the start of an input; the error for a non-text input
// says what it is.
func newLineReader(r io.Reader) (*lineReader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(peeked)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	l := &lineReader{in: in}
	switch {
	case len(bytes.TrimSpace(head)) == 0 && errors.Is(err, io.EOF):
		return nil, errors.New("is empty")
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		l.wide = binary.LittleEndian
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		l.wide = binary.BigEndian
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		_, _ = in.Discard(3)
	default:
		if err := binaryKind(head); err != nil {
			return nil, err
		}
	}
	if l.wide != nil {
		_, _ = in.Discard(2)
	}
	return l, nil
}

// magics are the first bytes of files that people pass by mistake.
var magics = []struct{ magic, kind, hint string }{
	{"\x1f\x8b", "compressed with gzip", "unpack it first: gunzip -c FILE | assay audit -"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it first: zstd -dc FILE | assay audit -"},
	{"BZh", "compressed with bzip2", "unpack it first: bunzip2 -c FILE | assay audit -"},
	{"\xfd7zXZ", "compressed with xz", "unpack it first: xz -dc FILE | assay audit -"},
	{"PK\x03\x04", "a zip archive", "unpack it first"},
	{"%PDF", "a PDF document", "extract the text: pdftotext -layout FILE - | assay audit -"},
	{"\x89PNG", "a picture", "paste the text it shows"},
	{"\xff\xd8\xff", "a picture", "paste the text it shows"},
	{"SQLite format 3", "a database", "for one of assay's own databases, name a run: assay --db FILE audit RUN"},
	{"\x7fELF", "a program", ""},
}

func binaryKind(head []byte) error {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return assay.WithHint(m.hint, "is %s, not text", m.kind)
		}
	}
	control := 0
	for _, b := range head {
		if b == 0 {
			return errors.New("is a binary file, not text")
		}
		if b < 0x20 && b != '\t' && b != '\n' && b != '\r' && b != 0x1b && b != '\b' && b != '\f' && b != 7 {
			control++
		}
	}
	if control*20 > len(head) {
		return errors.New("is a binary file, not text")
	}
	return nil
}

// next returns the next line or piece of a line, valid until the following call;
// io.EOF after the last.
func (l *lineReader) next() ([]byte, error) {
	later := l.more
	l.more = false
	line, err := l.raw()
	if err != nil {
		return nil, err
	}
	if l.later = later; !later {
		l.n++
	}
	return line, nil
}

// tooLong is the error for a line that does not end and is not JSON.
func tooLong(line int) error {
	return fmt.Errorf("line %d is longer than %d MiB and no JSON", line, mostLine>>20)
}

func (l *lineReader) raw() ([]byte, error) {
	if l.wide != nil {
		return l.wideLine()
	}
	l.buf = l.buf[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if err == nil && len(l.buf) == 0 {
			return part[:len(part)-1], nil
		}
		l.buf = append(l.buf, part...)
		switch {
		case err == nil:
			return l.buf[:len(l.buf)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
			if len(l.buf) >= mostLine {
				l.more = true
				return l.buf, nil
			}
		case errors.Is(err, io.EOF) && len(l.buf) > 0:
			return l.buf, nil
		default:
			return nil, err
		}
	}
}

// wideLine reads a line of UTF-16, as PowerShell writes files.
func (l *lineReader) wideLine() ([]byte, error) {
	var units []uint16
	for {
		var pair [2]byte
		if _, err := io.ReadFull(l.in, pair[:]); err != nil {
			if len(units) > 0 && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) {
				break
			}
			if errors.Is(err, io.ErrUnexpectedEOF) {
				err = io.EOF
			}
			return nil, err
		}
		unit := l.wide.Uint16(pair[:])
		if unit == '\n' {
			break
		}
		if units = append(units, unit); len(units) > mostLine/2 {
			return nil, tooLong(l.n + 1)
		}
	}
	return []byte(string(utf16.Decode(units))), nil
}
