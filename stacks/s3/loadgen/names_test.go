package loadgen_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"testing"
)

// allNamesAre resolves every name to one IPv4 address until the test ends, as a
// wildcard in DNS would for the buckets of a store.
func allNamesAre(t *testing.T, address net.IP) {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	before := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", server.LocalAddr().String())
	}}
	t.Cleanup(func() {
		net.DefaultResolver = before
		_ = server.Close()
	})
	go func() {
		for query := make([]byte, 1500); ; {
			n, from, err := server.ReadFrom(query)
			if err != nil {
				return
			}
			if said := answer(query[:n], address.To4()); said != nil {
				_, _ = server.WriteTo(said, from)
			}
		}
	}()
}

// answer returns a name server's answer to a query (RFC 1035, section 4): the
// address for type A, and no records for anything else.
func answer(query []byte, address net.IP) []byte {
	const header, typeA = 12, 1
	if len(query) < header {
		return nil
	}
	name := bytes.IndexByte(query[header:], 0)
	end := header + name + 1 + 4 // type and class
	if name < 0 || len(query) < end {
		return nil
	}
	said := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[header:end]...)
	if binary.BigEndian.Uint16(query[end-4:]) != typeA {
		return said
	}
	said[7] = 1
	// The name is at byte 12; type A, class IN, TTL zero, four bytes.
	return append(append(said, 0xc0, header, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4), address...)
}
