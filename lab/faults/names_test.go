package faults

import (
	"strings"
	"testing"

	"assay/lab/hosts"
)

// A name or address that is a shell command is rejected, with its position in
// the file, and nothing runs anywhere.
func TestNameThatIsACommand(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	const evil = "a;touch pwned"
	good := b.lab.Address("host1", hosts.Management)
	for name, addresses := range map[string]map[string]string{
		"name":    {"host1": good, evil: good},
		"address": {"host1": good, "host2": evil},
		"both":    {"host1": good, evil: evil},
	} {
		t.Run(name, func(t *testing.T) {
			file := b.write(addresses)
			for _, words := range [][]string{
				append([]string{"run", "-i", file}, quickDisk...), {"doctor", "-i", file}, {"hosts", "-i", file}, {"cleanup", "-i", file},
			} {
				r := b.laptop.Do(words...)
				if r.Exit != usage || !strings.Contains(r.Said, file+":") || !strings.Contains(r.Said, evil) {
					t.Errorf("%s ended with %d and said %s", words[0], r.Exit, r.Said)
				}
			}
			b.expectNothingLeft()
		})
	}
}
