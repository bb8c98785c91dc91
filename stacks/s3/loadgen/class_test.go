package loadgen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestErrorsAreClassed(t *testing.T) {
	for _, c := range []struct {
		err   error
		class Class
	}{
		{&net.OpError{Op: "dial", Err: &net.DNSError{Name: "nowhere", IsNotFound: true}}, NoSuchHost},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, Refused},
		{&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.EHOSTUNREACH)}, Unreachable},
		{&net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, Reset},
		{&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, Timeout},
		{&silentError{io.ErrUnexpectedEOF}, Reset},
		{fmt.Errorf("x: %w", context.Canceled), Interrupted},
		{&handshakeError{errors.New("no common version")}, TLS},
		{errors.New(`malformed HTTP response "SSH-2.0"`), NotS3},
	} {
		if got := fromError(c.err); got != c.class {
			t.Errorf("%v: %s, want %s", c.err, got, c.class)
		}
	}
}

// TestAnswersAreClassed covers answers of stores other than the lab's.
func TestAnswersAreClassed(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		status  int
		code    string
		message string
		served  time.Time
		class   Class
	}{
		{503, "SlowDown", "", now, SlowDown},
		{429, "", "", now, SlowDown},
		{503, "XMinioServerNotInitialized", "", now, Unavailable},
		{403, "RequestTimeTooSkewed", "", now, Clock},
		{403, "SignatureDoesNotMatch", "", now.Add(-20 * time.Minute), Clock},
		{403, "SignatureDoesNotMatch", "", now.Add(-time.Minute), Signature},
		{400, "AuthorizationHeaderMalformed", "the region 'us-east-1' is wrong; expecting 'eu-west-1'", now, WrongRegion},
		{301, "PermanentRedirect", "", now, WrongRegion},
		{403, "InvalidAccessKeyId", "", now, Denied},
		{404, "NoSuchBucket", "", now, NoBucket},
		{404, "NoSuchKey", "", now, NoObject},
		{404, "", "", now, NoObject},
		{507, "XMinioStorageFull", "", now, DiskFull},
		{500, "InternalError", "Internal error: IO error: No space left on device (os error 28)", now, DiskFull},
		{500, "InternalError", "", now, ServerError},
		{400, "BadDigest", "", now, BadUpload},
		{412, "PreconditionFailed", "", now, Rejected},
	} {
		var body string
		if c.code != "" {
			body = "<Error><Code>" + c.code + "</Code><Message>" + c.message + "</Message></Error>"
		}
		got, detail := fromAnswer(c.status, http.Header{"Date": {c.served.Format(http.TimeFormat)}}, []byte(body), now)
		if got != c.class || !strings.Contains(detail, fmt.Sprint(c.status)) {
			t.Errorf("%d %s: %s (%s), want %s", c.status, c.code, got, detail, c.class)
		}
	}
	if got, _ := fromAnswer(404, http.Header{}, []byte("<html>not here"), now); got != NotS3 {
		t.Errorf("a page: %s", got)
	}
}

func TestEveryClassSaysWhatItIs(t *testing.T) {
	for class := range codes {
		if class.Says() == string(class) {
			t.Errorf("%s has no words", class)
		}
	}
	for _, c := range classes {
		if c.says == "" || strings.HasSuffix(c.says, ".") || strings.HasSuffix(c.hint, ".") {
			t.Errorf("%s says %q, hint %q", c.class, c.says, c.hint)
		}
	}
}

func TestHistogramsGoThroughJSON(t *testing.T) {
	h := NewHistogram()
	for i := range 10_000 {
		h.Record(time.Duration(i) * 37 * time.Microsecond)
	}
	h.Record(2 * time.Hour)
	b, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	var got Histogram
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if got.Count() != 10_001 || got.At(50) != h.At(50) || got.Max() != h.Max() || got.Max() < time.Hour {
		t.Errorf("%d, median %s, longest %s", got.Count(), got.At(50), got.Max())
	}
	if want := 5000 * 37 * time.Microsecond; (h.At(50) - want).Abs() > want/500 {
		t.Errorf("median %s, want %s", h.At(50), want)
	}
	h.Merge(&got)
	if h.Count() != 20_002 {
		t.Errorf("merged: %d", h.Count())
	}
	for _, bad := range []string{`{}`, `{"hdr":"AAAA"}`, strings.Replace(string(b), `"count":10001`, `"count":10002`, 1)} {
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("took %.40s", bad)
		}
	}
}

func TestCredentialsPrintAsNothing(t *testing.T) {
	to := Target{Credentials: Credentials{AccessKey: "GKkey", SecretKey: "hush", SessionToken: "token"}}
	b, err := json.Marshal(to)
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("%v %+v %#v %s", to, to, to, b)
	for _, secret := range []string{"GKkey", "hush", "token"} {
		if strings.Contains(strings.ReplaceAll(all, "SessionToken", ""), secret) {
			t.Errorf("%s is in %s", secret, all)
		}
	}
}

func TestLoadsAndTargetsThatCannotBe(t *testing.T) {
	good := Target{Endpoints: []string{"http://127.0.0.1:3900"}, Bucket: "bucket", Prefix: "p/", Credentials: Credentials{AccessKey: "a", SecretKey: "s"}}
	load := Load{Mix: map[Op]int{Put: 1}, Size: 1, Concurrency: 1, Duration: 1}
	if _, err := New(good, load); err != nil {
		t.Fatal(err)
	}
	for says, change := range map[string]func(*Target, *Load){
		"no endpoint":           func(t *Target, _ *Load) { t.Endpoints = nil },
		"invalid endpoint":      func(t *Target, _ *Load) { t.Endpoints = []string{"127.0.0.1:3900"} },
		"only a host and":       func(t *Target, _ *Load) { t.Endpoints = []string{"http://u:p@host"} },
		"invalid bucket name":   func(t *Target, _ *Load) { t.Bucket = "a/b" },
		"a prefix":              func(t *Target, _ *Load) { t.Prefix = "" },
		"no credentials":        func(t *Target, _ *Load) { t.Credentials.SecretKey = "" },
		"PEM":                   func(t *Target, _ *Load) { t.Endpoints, t.CA = []string{"https://h"}, []byte("x") },
		"mix is empty":          func(_ *Target, l *Load) { l.Mix = nil },
		"unknown operation":     func(_ *Target, l *Load) { l.Mix = map[Op]int{"COPY": 1} },
		"weight 0 for PUT":      func(_ *Target, l *Load) { l.Mix = map[Op]int{Put: 0} },
		"size: 0 bytes":         func(_ *Target, l *Load) { l.Size = 0 },
		"not a multiple":        func(_ *Target, l *Load) { l.PartSize = 5_000_000 },
		"exceed 10000":          func(_ *Target, l *Load) { l.Size, l.PartSize = 1<<40, 5<<20 },
		"concurrency 0":         func(_ *Target, l *Load) { l.Concurrency = 0 },
		"no duration":           func(_ *Target, l *Load) { l.Duration = 0 },
		"need existing objects": func(_ *Target, l *Load) { l.Mix = map[Op]int{Get: 1} },
		"do not fit":            func(_ *Target, l *Load) { l.Objects, l.Space = 10, 9 },
	} {
		to, l := good, load
		change(&to, &l)
		if _, err := New(to, l); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "u:p") {
			t.Errorf("%q: %v", says, err)
		}
	}
}

func TestParseMix(t *testing.T) {
	mix, err := ParseMix("get=70, PUT=30")
	if err != nil || mix[Get] != 70 || mix[Put] != 30 || len(mix) != 2 {
		t.Errorf("%v, %v", mix, err)
	}
	if mix, err := ParseMix("LIST"); err != nil || mix[List] != 1 {
		t.Errorf("%v, %v", mix, err)
	}
	for _, bad := range []string{"", "COPY", "PUT=", "PUT=x", "PUT=0", "PUT=-1", "PUT,PUT", "PUT=1.5"} {
		if mix, err := ParseMix(bad); err == nil {
			t.Errorf("%q gave %v", bad, mix)
		}
	}
}
