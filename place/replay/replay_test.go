package replay

import (
	"bytes"
	"context"
	"testing"

	"assay"
)

// FuzzNew checks that any file gives a place with a host name, or an error.
func FuzzNew(f *testing.F) {
	f.Add([]byte(`{"host":"h","argv":["echo","x"],"output":{"stdout":"aGk=","exit":3}}` + "\n"))
	f.Add([]byte(`{"host":"h","argv":["a"],"error":"timeout","text":"t"}` + "\n" + `{"host":"h","argv":["a"]}`))
	f.Fuzz(func(t *testing.T, tape []byte) {
		p, err := New(bytes.NewReader(tape), "tape")
		if (err == nil) != (p != nil) {
			t.Fatalf("place %v and error %v", p, err)
		}
		if err != nil {
			return
		}
		if p.Host().Name == "" {
			t.Error("a place without a host's name")
		}
		_, _ = p.Run(context.Background(), assay.Cmd{Argv: []string{"a"}})
	})
}
