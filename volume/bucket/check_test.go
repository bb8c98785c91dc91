package bucket

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestReach(t *testing.T) {
	answers := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	plain, secure := httptest.NewServer(answers), httptest.NewTLSServer(answers)
	defer plain.Close()
	defer secure.Close()
	ca := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}))
	off := httptest.NewServer(answers)
	off.Close()
	for name, c := range map[string]struct{ endpoint, ca, want string }{
		"plain":     {plain.URL, "", ""},
		"secure":    {secure.URL, ca, ""},
		"untrusted": {secure.URL, "", "x509"},
		"no TLS":    {strings.Replace(plain.URL, "http:", "https:", 1), ca, "tls"},
		"off":       {off.URL, "", "refused"},
	} {
		err := reach(t.Context(), c.endpoint, c.ca)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
