package ceph

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// newKey returns a secret in the format of ceph-authtool: its type (AES), creation
// time, length, and 16 random bytes.
func newKey() string {
	b := make([]byte, 28)
	binary.LittleEndian.PutUint16(b, 1)
	binary.LittleEndian.PutUint32(b[2:], uint32(time.Now().Unix()))
	binary.LittleEndian.PutUint16(b[10:], 16)
	_, _ = rand.Read(b[12:]) // it never fails
	return base64.StdEncoding.EncodeToString(b)
}
