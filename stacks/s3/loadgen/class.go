package loadgen

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/minio/minio-go/v7"
)

// Class is the kind of failure of an operation.
type Class string

// The classes. Says describes each in plain words.
const (
	SlowDown    Class = "slow-down"
	Unavailable Class = "unavailable"
	Clock       Class = "clock"
	WrongRegion Class = "region"
	Denied      Class = "denied"
	Signature   Class = "signature"
	NoBucket    Class = "no-bucket"
	NoObject    Class = "no-object"
	DiskFull    Class = "disk-full"
	Refused     Class = "refused"
	Reset       Class = "reset"
	Timeout     Class = "timeout"
	NoSuchHost  Class = "no-such-host"
	Unreachable Class = "unreachable"
	TLS         Class = "tls"
	Corrupt     Class = "corrupt"
	Truncated   Class = "truncated"
	BadUpload   Class = "bad-upload"
	Rejected    Class = "rejected"
	ServerError Class = "server-error"
	NotS3       Class = "not-s3"
	Interrupted Class = "interrupted"
)

// class describes a class.
type class struct {
	class Class
	says  string
	hint  string
	fatal bool // no later operation can succeed
}

var classes = []class{
	{SlowDown, "the store throttled requests (503 SlowDown)", "lower the concurrency or the rate: the store is overloaded or rate-limited", false},
	{Unavailable, "the store is unavailable (503)", "check that all its nodes are up", false},
	{Clock, "the clocks of this machine and the store differ too much", "synchronise both clocks (timedatectl), then try again", true},
	{WrongRegion, "requests are signed for the wrong region", "set the region that the store reports", true},
	{Denied, "access denied", "grant the key read, write, list and delete on this bucket", true},
	{Signature, "signature mismatch", "check the secret key, and that no proxy changes the Host header", true},
	{NoBucket, "no such bucket", "check its name, or create it first", true},
	{NoObject, "an object that was written is missing", "check whether something else deletes below the prefix; otherwise the store lost it", false},
	{DiskFull, "the store is out of space", "free up space on the store, or write less", false},
	{Refused, "nothing is listening at the endpoint", "check the port, and that the store is running", false},
	{Reset, "the store, or a proxy in front of it, closed the connection in mid-operation", "check the logs of the store and of any proxy in front of it", false},
	{Timeout, "no data was transferred for the whole timeout", "check whether the store stalls or a firewall drops packets", false},
	{NoSuchHost, "cannot resolve the endpoint's host name", "check the name; virtual-host style puts the bucket name in front of it, which needs its own DNS entry or a wildcard", true},
	{Unreachable, "no route to the endpoint", "check the network, the address and the routes", false},
	{TLS, "the endpoint's certificate is not trusted, or the TLS handshake failed", "give the CA that signed it, and use a host name that the certificate covers", true},
	{Corrupt, "data read differs from data written", "check the memory of the store and of this machine, and the network between them", false},
	{Truncated, "the response was shorter than its Content-Length", "check the logs of the store and of any proxy in front of it", false},
	{BadUpload, "the store received different data than was sent: its checksum differs", "check the memory of this machine, and the network between it and the store", false},
	{Rejected, "the store rejected the request", "", false},
	{ServerError, "the store failed (5xx)", "check the store's log", false},
	{NotS3, "the endpoint does not speak S3, or http and https are mixed up", "check the port, and http versus https", true},
	{Interrupted, "interrupted", "", true},
}

func (c Class) entry() class {
	for _, e := range classes {
		if e.class == c {
			return e
		}
	}
	return class{class: c, says: string(c)}
}

// Says describes the class in plain words.
func (c Class) Says() string { return c.entry().says }

// Hint says what to try, or "".
func (c Class) Hint() string { return c.entry().hint }

// Fatal reports whether no later operation can succeed.
func (c Class) Fatal() bool { return c.entry().fatal }

// Failure is an operation that failed.
type Failure struct {
	Class    Class
	Op       Op
	Endpoint string
	Detail   string // what the store or the system said
	Err      error  // nil if the store answered
}

func (f *Failure) Error() string {
	text := fmt.Sprintf("%s %s: %s", f.Op, f.Endpoint, f.Class.Says())
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	return text
}

func (f *Failure) Unwrap() error { return f.Err }

// codes are the error codes of S3 stores.
var codes = map[Class][]string{
	SlowDown:    {"SlowDown", "SlowDownRead", "SlowDownWrite", "RequestLimitExceeded", "TooManyRequests", "Throttling", "ThrottlingException", "BandwidthLimitExceeded"},
	Clock:       {"RequestTimeTooSkewed", "RequestExpired"},
	WrongRegion: {"AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect", "IllegalLocationConstraintException"},
	Denied:      {"AccessDenied", "InvalidAccessKeyId", "InvalidTokenId", "ExpiredToken", "AllAccessDisabled", "AccountProblem"},
	Signature:   {"SignatureDoesNotMatch"},
	NoBucket:    {"NoSuchBucket", "InvalidBucketName"},
	NoObject:    {"NoSuchKey", "NoSuchUpload"},
	DiskFull:    {"XMinioStorageFull", "InsufficientStorage", "QuotaExceeded", "XMinioAdminBucketQuotaExceeded", "EntityTooLargeForQuota"},
	BadUpload:   {"BadDigest", "XAmzContentChecksumMismatch", "XAmzContentSHA256Mismatch", "InvalidDigest"},
}

// farApart exceeds any clock skew that a store accepts.
const farApart = 14 * time.Minute

// fromAnswer classifies an unsuccessful response.
func fromAnswer(status int, header http.Header, body []byte, now time.Time) (Class, string) {
	var e minio.ErrorResponse
	isS3 := xml.Unmarshal(body, &e) == nil
	if e.Code == "" {
		e.Code = header.Get("X-Minio-Error-Code")
	}
	detail := fmt.Sprintf("%d %s", status, strings.TrimSpace(e.Code+" "+e.Message))
	detail = strings.TrimSpace(detail[:min(len(detail), 300)])
	served, err := http.ParseTime(header.Get("Date"))
	apart := now.Sub(served).Abs()
	if err == nil && apart > farApart && (status == http.StatusForbidden || status == http.StatusBadRequest) {
		return Clock, fmt.Sprintf("%s apart (%s)", apart.Round(time.Second), detail)
	}
	text := strings.ToLower(e.Message)
	if e.Code == "AccessDenied" && strings.Contains(text, "invalid signature") {
		return Signature, detail // Garage's wording
	}
	for _, c := range classes {
		if slices.Contains(codes[c.class], e.Code) {
			return c.class, detail
		}
	}
	switch {
	case strings.Contains(text, "no space left") || strings.Contains(text, "disk full") || status == http.StatusInsufficientStorage:
		return DiskFull, detail
	case strings.Contains(text, "date is too old"):
		return Clock, detail
	case status == http.StatusTooManyRequests:
		return SlowDown, detail
	case status == http.StatusServiceUnavailable:
		return Unavailable, detail
	case status >= 500:
		return ServerError, detail
	case status == http.StatusForbidden || status == http.StatusUnauthorized:
		return Denied, detail
	case status == http.StatusMovedPermanently || status == http.StatusTemporaryRedirect:
		return WrongRegion, detail
	case status == http.StatusNotFound && (isS3 || len(body) == 0):
		return NoObject, detail
	case len(body) > 0 && !isS3:
		return NotS3, detail
	}
	return Rejected, detail
}

// fromError classifies an error that prevented a response.
func fromError(err error) Class {
	var name *net.DNSError
	var handshake *handshakeError
	var unknown x509.UnknownAuthorityError
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, context.Canceled):
		return Interrupted
	case errors.As(err, &name) && name.IsNotFound:
		return NoSuchHost
	case errors.As(err, &record):
		return NotS3
	case errors.As(err, &verify), errors.As(err, &unknown):
		return TLS
	case errors.Is(err, syscall.ECONNREFUSED):
		return Refused
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return Unreachable
	case isTimeout(err), errors.Is(err, context.DeadlineExceeded):
		return Timeout
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return Reset
	case errors.As(err, &handshake):
		return TLS
	case strings.Contains(err.Error(), "malformed HTTP"):
		return NotS3
	}
	return Unreachable
}
