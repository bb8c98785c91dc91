package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"

	"assay"
	"assay/internal/jsonsize"
	"assay/store"
)

// Reader reads a portable file, run by run.
type Reader struct {
	file   counter // bytes read
	packed *zstd.Decoder
	lines  *bufio.Reader
	size   int64 // bytes of lines
	line   []byte
	n      int // of the last record read, from 1
	sum    hash.Hash
	runs   int
	ahead  *record // read but unused: the start of the next run
	done   bool
}

// NewReader starts reading. Anything but a portable file, or one of a later
// format (store.ErrNewer), is an error at once. Close must be called.
func NewReader(r io.Reader) (*Reader, error) {
	head := make([]byte, headerSize)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if n < headerSize && Is(head[:n]) {
		return nil, damaged("it ends within its header")
	}
	if err := checkHeader(string(head[:n])); err != nil {
		return nil, err
	}
	reader := &Reader{sum: sha256.New()}
	packed, err := zstd.NewReader(io.TeeReader(r, &reader.file), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(2*window), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	reader.packed, reader.lines = packed, bufio.NewReaderSize(packed, 64<<10)
	return reader, nil
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// Close releases the reader's resources.
func (r *Reader) Close() { r.packed.Close() }

// Next passes the next run to take: its head, its trials, their repeats. It returns
// io.EOF after the last run, once the file is known to be complete. If the file is
// not, the error matches store.ErrDamaged or store.ErrNewer; an error of take is
// returned unchanged.
func (r *Reader) Next(take store.Taker) error {
	if r.done {
		return io.EOF
	}
	first, err := r.read()
	if err != nil {
		return err
	}
	switch {
	case first.End != nil:
		return r.end(*first.End)
	case first.Run == nil:
		return r.wrong("it belongs to no run")
	}
	if r.runs++; r.runs > mostRuns {
		return r.wrong("more than %d runs", mostRuns)
	}
	if err := assay.CheckRunID(first.Run.ID); err != nil {
		return r.wrong("%w", err)
	}
	if err := take.Head(first.Run.Run); err != nil {
		return err
	}
	return r.body(take)
}

// body passes on what follows a head, up to the next one.
func (r *Reader) body(take store.Taker) error {
	for trials := 0; ; {
		rec, err := r.read()
		switch {
		case err != nil:
			return err
		case rec.Run != nil || rec.End != nil:
			r.ahead = rec
			return nil
		case rec.Trial != nil:
			trials++
			err = take.Trial(assay.Result{Trial: rec.Trial.Trial, Scratch: rec.Trial.Scratch})
		case rec.Repeat != nil && trials > 0:
			err = r.repeat(*rec.Repeat, take)
		default:
			return r.wrong("it belongs to no trial or repeat")
		}
		if err != nil {
			return err
		}
	}
}

// repeat passes on a repeat with the transcript that must follow it.
func (r *Reader) repeat(rep assay.Repeat, take store.Taker) error {
	next, err := r.read()
	if err != nil {
		return err
	}
	if next.Transcript == nil {
		return r.wrong("the repeat before it has no transcript")
	}
	if rep.Transcript, err = store.ReadTranscript(next.Transcript); err != nil {
		return r.wrong("%w", err)
	}
	return take.Repeat(rep)
}

// end checks that nothing is missing and nothing follows.
func (r *Reader) end(e endRecord) error {
	if e.Runs != r.runs {
		return r.wrong("it announces %d runs but contains %d", e.Runs, r.runs)
	}
	switch _, err := r.lines.ReadByte(); {
	case err == nil:
		return r.wrong("data after the end")
	case !errors.Is(err, io.EOF):
		return r.wrong("%w", err)
	}
	r.done = true
	return io.EOF
}

// read returns the next record. It checks the digest of an end record before the
// line itself is added to the sum.
func (r *Reader) read() (*record, error) {
	if r.ahead != nil {
		rec := r.ahead
		r.ahead = nil
		return rec, nil
	}
	r.n++
	if err := r.readLine(); err != nil {
		return nil, err
	}
	rec, err := parse(r.line)
	switch {
	case isUnknown(err):
		return nil, r.at(newer(err))
	case err != nil:
		return nil, r.wrong("%w", err)
	case rec.End != nil && rec.End.SHA256 != hex.EncodeToString(r.sum.Sum(nil)):
		return nil, r.wrong("the digest does not match the content before it")
	}
	r.sum.Write(r.line)
	return rec, nil
}

func parse(line []byte) (*record, error) {
	var rec record
	if err := jsonsize.Check(line, &rec, largest); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	switch err := d.Decode(&rec); {
	case errors.Is(err, io.EOF): // else taken for the end of the file
		return nil, errors.New("an empty line")
	case err != nil:
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value in a line")
	}
	if rec.members() != 1 {
		return nil, fmt.Errorf("%d members, not one", rec.members())
	}
	return &rec, nil
}

// readLine reads a line into r.line, up to the maximum size of a record: memory
// grows with the data actually read, whatever a damaged file claims.
func (r *Reader) readLine() error {
	r.line = r.line[:0]
	for {
		part, err := r.lines.ReadSlice('\n')
		r.size += int64(len(part))
		if err := checkGrowth(r.size, int64(r.file)); err != nil {
			return r.at(err)
		}
		r.line = append(r.line, part...)
		switch {
		case len(r.line) > largest:
			return r.wrong("it is too long")
		case err == nil:
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return r.wrong("the file ends here, before its last record")
		default:
			return r.wrong("%w", err)
		}
	}
}

// wrong returns an error about the last record read.
func (r *Reader) wrong(why string, args ...any) error { return r.at(damaged(why, args...)) }

func (r *Reader) at(err error) error { return fmt.Errorf("record %d: %w", r.n, err) }
