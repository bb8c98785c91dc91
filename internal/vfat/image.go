// Package vfat makes images of small file systems, VFAT on FAT12, as mkfs.vfat does. A host
// that is to get a few files as a disk thus needs no tool for it.
package vfat

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
)

// The layout: a boot sector, two tables, a root directory, and clusters of one sector each.
const (
	sector   = 512
	table    = 2  // sectors per FAT, with 12 bits per cluster
	entries  = 64 // of the root directory, the only one
	root     = entries * entry / sector
	first    = 1 + 2*table + root // where clusters begin
	clusters = 512
	entry    = 32
	inName   = 13 // letters of a long name per entry
)

// Bytes is the size of an image.
const Bytes = (first + clusters) * sector

// File is a file in an image.
type File struct {
	Name string // up to 13 letters
	Text []byte
}

// Image returns a file system image with the given label, of up to 11 upper-case letters, and
// files. The same files give the same image.
func Image(label string, files ...File) ([]byte, error) {
	if label == "" || len(label) > 11 || strings.Trim(label, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		return nil, fmt.Errorf("%q is no label of a FAT", label)
	}
	image := make([]byte, Bytes)
	boot(image, label)
	fat := make([]uint16, 2+clusters)
	fat[0], fat[1] = 0xff8, 0xfff
	dir := image[(1+2*table)*sector : first*sector]
	copy(dir, short(label, 0x08, 0, 0))
	at, free := 1, 2
	for i, f := range files {
		need := (len(f.Text) + sector - 1) / sector
		switch {
		case f.Name == "" || len(f.Name) > inName || strings.Trim(f.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
			return nil, fmt.Errorf("%q is no name of a file that a small FAT is made with", f.Name)
		case at+2 > entries || free+need > len(fat):
			return nil, fmt.Errorf("%s: no room for it in %d bytes", f.Name, Bytes)
		}
		begin := 0
		if need > 0 {
			begin = free
			copy(image[(first+begin-2)*sector:], f.Text)
			for n := range need {
				fat[free+n] = uint16(free + n + 1)
			}
			free += need
			fat[free-1] = 0xfff
		}
		name := fmt.Sprintf("FILE%d", i)
		copy(dir[at*entry:], long(f.Name, sum(name)))
		copy(dir[(at+1)*entry:], short(name, 0x20, begin, len(f.Text)))
		at += 2
	}
	for i := range 2 {
		pack(image[(1+i*table)*sector:], fat)
	}
	return image, nil
}

// boot writes the boot sector.
func boot(image []byte, label string) {
	put := binary.LittleEndian
	copy(image, "\xeb\x3c\x90mkfs.fat")
	put.PutUint16(image[11:], sector)
	image[13] = 1                // sectors per cluster
	put.PutUint16(image[14:], 1) // sectors before the tables
	image[16] = 2                // tables
	put.PutUint16(image[17:], entries)
	put.PutUint16(image[19:], Bytes/sector)
	image[21] = 0xf8 // a fixed disk
	put.PutUint16(image[22:], table)
	put.PutUint16(image[24:], 32) // sectors per track and heads, which nobody reads
	put.PutUint16(image[26:], 2)
	image[36], image[38] = 0x80, 0x29
	put.PutUint32(image[39:], 0xa55a0001)
	copy(image[43:], fmt.Sprintf("%-11s%-8s", label, "FAT12"))
	image[510], image[511] = 0x55, 0xaa
}

// pack writes a table: two 12-bit entries in three bytes.
func pack(into []byte, fat []uint16) {
	for i := 0; i+1 < len(fat); i += 2 {
		a, b := fat[i], fat[i+1]
		at := i / 2 * 3
		into[at], into[at+1], into[at+2] = byte(a), byte(a>>8)|byte(b<<4), byte(b>>4)
	}
}

// short returns the directory entry of a file or of the label.
func short(name string, attributes byte, cluster, bytes int) []byte {
	e := make([]byte, entry)
	copy(e, fmt.Sprintf("%-11s", name))
	e[11] = attributes
	for _, date := range []int{16, 18, 24} {
		binary.LittleEndian.PutUint16(e[date:], 1<<5|1) // the earliest date it can store
	}
	binary.LittleEndian.PutUint16(e[26:], uint16(cluster))
	binary.LittleEndian.PutUint32(e[28:], uint32(bytes))
	return e
}

// sum returns the checksum of a short name, which ties a long name's entry to
// it.
func sum(name string) (s byte) {
	for _, b := range fmt.Appendf(nil, "%-11s", name) {
		s = s>>1 | s<<7
		s += b
	}
	return s
}

// long returns the entry of a long name that fits in one.
func long(name string, sum byte) []byte {
	e := make([]byte, entry)
	e[0], e[11], e[13] = 0x41, 0x0f, sum
	letters := utf16.Encode([]rune(name))
	at := []int{1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30}
	for i := range inName {
		letter := uint16(0xffff)
		switch {
		case i < len(letters):
			letter = letters[i]
		case i == len(letters):
			letter = 0
		}
		binary.LittleEndian.PutUint16(e[at[i]:], letter)
	}
	return e
}
