package s3proxy

import (
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// Proxy sits between a load and a store and injects faults.
type Proxy struct {
	*httptest.Server
	// Before may answer a request itself, and then returns true.
	Before atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
	// After may change a response.
	After atomic.Pointer[func(*http.Response)]
	gone  chan struct{} // closed when the test ends
}

// New starts a proxy in front of a store, with or without TLS.
func New(t testing.TB, store string, secure bool) *Proxy {
	t.Helper()
	to, err := url.Parse(store)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{gone: make(chan struct{})}
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host // it is signed
		},
		ModifyResponse: func(r *http.Response) error {
			if change := p.After.Load(); change != nil { //nolint:bodyclose // the proxy closes it
				(*change)(r)
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, err.Error(), http.StatusBadGateway)
		},
		Transport: &http.Transport{MaxIdleConnsPerHost: 256},
	}
	p.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if first := p.Before.Load(); first != nil && (*first)(w, r) {
			return
		}
		forward.ServeHTTP(w, r)
	}))
	p.Config.ErrorLog = log.New(io.Discard, "", 0)
	if secure {
		p.StartTLS()
	} else {
		p.Start()
	}
	t.Cleanup(func() {
		close(p.gone)
		p.CloseClientConnections()
		p.Close()
	})
	return p
}

// CA returns a secure proxy's certificate in PEM form.
func (p *Proxy) CA() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.Certificate().Raw}))
}

// Refuse answers matching requests with an S3 error.
func (p *Proxy) Refuse(which func(*http.Request) bool, status int, code, message string) {
	answer := func(w http.ResponseWriter, r *http.Request) bool {
		if !which(r) {
			return false
		}
		_, _ = io.Copy(io.Discard, r.Body)
		text := fmt.Sprintf("<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>%s</Message></Error>", code, message)
		w.Header().Set("Content-Type", "application/xml")
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
		return true
	}
	p.Before.Store(&answer)
}

// Stall holds all requests between two times.
func (p *Proxy) Stall(from, to time.Time) {
	wait := func(_ http.ResponseWriter, r *http.Request) bool {
		if now := time.Now(); now.After(from) && now.Before(to) {
			select {
			case <-time.After(time.Until(to)):
			case <-r.Context().Done():
			case <-p.gone:
			}
		}
		return false
	}
	p.Before.Store(&wait)
}

// MendAll removes all faults.
func (p *Proxy) MendAll() {
	p.Before.Store(nil)
	p.After.Store(nil)
}

// OnObjects changes the response bodies of object GETs.
func (p *Proxy) OnObjects(change func(io.ReadCloser) io.ReadCloser) {
	do := func(r *http.Response) {
		if r.Request.Method == http.MethodGet && r.Request.URL.RawQuery == "" {
			r.Body = change(r.Body)
		}
	}
	p.After.Store(&do)
}

// Spoiled is a body with a fault at byte At.
type Spoiled struct {
	io.ReadCloser
	At   int64
	seen int64
	Flip bool // flip one bit; otherwise truncate
}

func (s *Spoiled) Read(b []byte) (int, error) {
	if !s.Flip && s.seen >= s.At {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := s.ReadCloser.Read(b)
	if s.Flip && s.seen <= s.At && s.At < s.seen+int64(n) {
		b[s.At-s.seen] ^= 1
	}
	if !s.Flip && s.seen+int64(n) > s.At {
		n = int(s.At - s.seen)
	}
	s.seen += int64(n)
	return n, err
}
