package loadgen

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// inParts reports whether objects are written in parts.
func (c *Client) inParts() bool {
	return c.load.PartSize > 0 && c.load.Size > c.load.PartSize
}

// putParts uploads an object in parts and returns its CRC-32. Generating and
// checksumming a part is on the clock, as in every program that does this. On
// failure it aborts the upload.
func (w *worker) putParts(ctx context.Context, j job) (uint32, error) {
	r := request{method: http.MethodPost, key: j.request.key, query: url.Values{"uploads": {""}},
		more: map[string]string{"X-Amz-Checksum-Algorithm": "CRC32", "X-Amz-Checksum-Type": "COMPOSITE"}}
	_, body, err := w.exchange(ctx, j.endpoint, Put, r, span{}, nil)
	if err != nil {
		return 0, err
	}
	var begun struct {
		UploadID string `xml:"UploadId"`
	}
	if err := xml.Unmarshal(body, &begun); err != nil || begun.UploadID == "" {
		return 0, &Failure{Class: NotS3, Op: Put, Endpoint: w.links[j.endpoint].to.name, Detail: "the response has no upload id"}
	}
	crc, err := w.parts(ctx, j, begun.UploadID)
	if err != nil {
		w.abort(ctx, j.endpoint, j.request.key, begun.UploadID)
	}
	return crc, err
}

// abort aborts an upload as best it can: Clean looks for leftovers.
func (w *worker) abort(ctx context.Context, endpoint int, key, upload string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	r := request{method: http.MethodDelete, key: key, query: url.Values{"uploadId": {upload}}}
	_, _, _ = w.exchange(ctx, endpoint, Delete, r, span{}, nil)
}

// parts uploads the parts one after the other and completes the object.
func (w *worker) parts(ctx context.Context, j job, upload string) (crc uint32, err error) {
	l := w.client.load
	var list bytes.Buffer
	list.WriteString("<CompleteMultipartUpload>")
	for number, from := 1, int64(0); from < l.Size; number, from = number+1, from+l.PartSize {
		s := span{id: j.id, from: from, size: min(l.PartSize, l.Size-from)}
		r := request{method: http.MethodPut, key: j.request.key,
			query: url.Values{"partNumber": {strconv.Itoa(number)}, "uploadId": {upload}}}
		var part uint32
		w.describe(&r, &part, s)
		crc, _ = w.client.data.sum(s, crc, false)
		header, _, err := w.exchange(ctx, j.endpoint, Put, r, s, nil)
		if err != nil {
			return 0, err
		}
		fmt.Fprintf(&list, "<Part><PartNumber>%d</PartNumber><ETag>", number)
		_ = xml.EscapeText(&list, []byte(header.Get("ETag"))) // a buffer never fails
		fmt.Fprintf(&list, "</ETag><ChecksumCRC32>%s</ChecksumCRC32></Part>", r.crc)
	}
	list.WriteString("</CompleteMultipartUpload>")
	r := request{method: http.MethodPost, key: j.request.key, query: url.Values{"uploadId": {upload}},
		length: int64(list.Len()), sha: shaOf(list.Bytes())}
	_, body, err := w.exchange(ctx, j.endpoint, Put, r, span{}, list.Bytes())
	if err != nil {
		return 0, err
	}
	// A store may return 200 first and fail later, in the body.
	if bytes.Contains(body, []byte("<Error>")) {
		class, detail := fromAnswer(http.StatusInternalServerError, http.Header{}, body, time.Now())
		return 0, &Failure{Class: class, Op: Put, Endpoint: w.links[j.endpoint].to.name, Detail: detail}
	}
	return crc, nil
}
