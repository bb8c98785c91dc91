package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"

	"assay"
	"assay/store"
)

// Writer writes a portable file. It is a store.Taker: it takes one run after the
// other, and Close completes the file.
type Writer struct {
	file   counter // bytes written
	packed *zstd.Encoder
	size   int64 // bytes of lines
	sum    hash.Hash
	runs   int
}

// NewWriter starts a portable file on w.
func NewWriter(w io.Writer) (*Writer, error) {
	if _, err := io.WriteString(w, header(format)); err != nil {
		return nil, err
	}
	writer := &Writer{sum: sha256.New()}
	packed, err := zstd.NewWriter(io.MultiWriter(w, &writer.file), zstd.WithEncoderCRC(true), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window))
	writer.packed = packed
	return writer, err
}

// window is the zstd window in bytes, which a reader must hold in memory.
const window = 4 << 20

// Head starts a run.
func (w *Writer) Head(run assay.Run) error {
	if err := assay.CheckRunID(run.ID); err != nil {
		return fmt.Errorf("cannot export a run: %w", err)
	}
	if w.runs++; w.runs > mostRuns {
		return fmt.Errorf("a file holds at most %d runs: %w", mostRuns, assay.ErrTooLong)
	}
	return w.write(record{Run: headOf(run)})
}

func headOf(run assay.Run) *runRecord {
	run.Results = nil
	return &runRecord{Run: run}
}

// Trial writes a trial of the preceding run.
func (w *Writer) Trial(r assay.Result) error {
	return w.write(record{Trial: &trialRecord{r.Trial, r.Scratch}})
}

// Repeat writes a repeat of the preceding trial.
func (w *Writer) Repeat(r assay.Repeat) error {
	return writeRepeat(r, w.write)
}

func writeRepeat(r assay.Repeat, write func(record) error) error {
	transcript, err := store.TranscriptJSON(r.Transcript)
	if err != nil {
		return err
	}
	if err := write(record{Repeat: &r}); err != nil {
		return err
	}
	return write(record{Transcript: transcript})
}

func (w *Writer) write(r record) error {
	line, err := lineOf(r)
	if err != nil {
		return err
	}
	w.sum.Write(line)
	w.size += int64(len(line))
	_, err = w.packed.Write(line)
	return err
}

// Close writes the last record. It does not close the underlying writer.
func (w *Writer) Close() error {
	if err := w.write(record{End: &endRecord{w.runs, hex.EncodeToString(w.sum.Sum(nil))}}); err != nil {
		return err
	}
	if err := w.packed.Close(); err != nil {
		return err
	}
	if err := checkGrowth(w.size, int64(w.file)); err != nil {
		return fmt.Errorf("the file could not be imported again: %w", err)
	}
	return nil
}

// lineOf returns a record as written to the file.
func lineOf(r record) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	if b.Len() > largest {
		return nil, fmt.Errorf("a record of %d bytes: at most %d can be written: %w", b.Len(), largest, assay.ErrTooLong)
	}
	return b.Bytes(), nil
}
