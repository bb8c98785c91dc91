package s3load_test

import (
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

// proxy stands between a load and a store and breaks what it is told to break.
type proxy struct {
	*httptest.Server
	// before may answer a request itself, and then says true.
	before atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
	// after may change an answer.
	after atomic.Pointer[func(*http.Response)]
	gone  chan struct{} // closed when the test ends
}

// newProxy stands before a store, with TLS or without.
func newProxy(t *testing.T, store string, secure bool) *proxy {
	t.Helper()
	to, err := url.Parse(store)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{gone: make(chan struct{})}
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host // it is signed
		},
		ModifyResponse: func(r *http.Response) error {
			if change := p.after.Load(); change != nil { //nolint:bodyclose // the proxy closes it
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
		if first := p.before.Load(); first != nil && (*first)(w, r) {
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

// refuse has some requests answered with an error of S3.
func (p *proxy) refuse(which func(*http.Request) bool, status int, code, message string) {
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
	p.before.Store(&answer)
}

// stall lets nothing through between two times.
func (p *proxy) stall(from, to time.Time) {
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
	p.before.Store(&wait)
}

// mendAll lets everything through.
func (p *proxy) mendAll() {
	p.before.Store(nil)
	p.after.Store(nil)
}

// onObjects changes the bodies of answers to GETs of objects.
func (p *proxy) onObjects(change func(io.ReadCloser) io.ReadCloser) {
	do := func(r *http.Response) {
		if r.Request.Method == http.MethodGet && r.Request.URL.RawQuery == "" {
			r.Body = change(r.Body)
		}
	}
	p.after.Store(&do)
}

// spoiled is a body with a fault at byte at.
type spoiled struct {
	io.ReadCloser
	at   int64
	seen int64
	flip bool // one bit; otherwise it ends there
}

func (s *spoiled) Read(b []byte) (int, error) {
	if !s.flip && s.seen >= s.at {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := s.ReadCloser.Read(b)
	if s.flip && s.seen <= s.at && s.at < s.seen+int64(n) {
		b[s.at-s.seen] ^= 1
	}
	if !s.flip && s.seen+int64(n) > s.at {
		n = int(s.at - s.seen)
	}
	s.seen += int64(n)
	return n, err
}
