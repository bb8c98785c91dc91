package loadgen

import (
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"net/url"
	"strconv"

	"github.com/minio/minio-go/v7/pkg/s3utils"
	"github.com/minio/minio-go/v7/pkg/signer"
)

const (
	unsignedPayload = "UNSIGNED-PAYLOAD"
	emptySHA        = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
)

// request is a request to a store, not yet signed.
type request struct {
	method string
	key    string // "" for the bucket
	query  url.Values
	length int64  // of the body
	sha    string // of the body, in hexadecimal, or unsignedPayload; "" for no body
	crc    string // of the body, in base 64; "" for none
	more   map[string]string
}

// crcText encodes a CRC-32 as S3 does.
func crcText(crc uint32) string {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], crc)
	return base64.StdEncoding.EncodeToString(b[:])
}

// sign appends the head of the signed request to room, as sent over the wire.
func (c *Client) sign(room []byte, to endpoint, r request) []byte {
	header := make(http.Header, 8)
	header["X-Amz-Content-Sha256"] = []string{emptySHA}
	if r.sha != "" {
		header["X-Amz-Content-Sha256"] = []string{r.sha}
	}
	if r.crc != "" {
		header["X-Amz-Checksum-Crc32"] = []string{r.crc}
	}
	for name, value := range r.more {
		header.Set(name, value)
	}
	path := to.base + r.key
	if r.key == "" && len(path) > 1 {
		path = path[:len(path)-1]
	}
	keys := c.target.Credentials
	signed := signer.SignV4(http.Request{
		Method: r.method, Host: to.host, Header: header,
		URL: &url.URL{Path: path, RawQuery: r.query.Encode()},
	}, keys.AccessKey, keys.SecretKey, keys.SessionToken, c.target.Region)
	b := room
	b = append(append(b, r.method...), ' ')
	b = append(b, s3utils.EncodePath(path)...)
	if signed.URL.RawQuery != "" {
		b = append(append(b, '?'), signed.URL.RawQuery...)
	}
	b = append(append(b, " HTTP/1.1\r\nHost: "...), to.host...)
	b = append(b, "\r\nUser-Agent: assay"...)
	if r.length > 0 || r.method == http.MethodPut || r.method == http.MethodPost {
		b = strconv.AppendInt(append(b, "\r\nContent-Length: "...), r.length, 10)
	}
	for name, values := range signed.Header {
		b = append(append(append(append(b, "\r\n"...), name...), ": "...), values[0]...)
	}
	return append(b, "\r\n\r\n"...)
}
