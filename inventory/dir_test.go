package inventory

import (
	"strings"
	"testing"

	"assay"
)

// zpool's headings are padded with blanks even in the output for scripts.
func TestMembersOfAPool(t *testing.T) {
	const dashes = "      -      -      -        -         -      -      -      -         -\n"
	const numbers = "\t1000\t0\t1000\t-\t-\t0\t0\t-\tONLINE\n"
	for name, c := range map[string]struct{ list, want string }{
		"cache":         {"\t/dev/sda" + numbers + "cache    " + dashes + "\t/dev/sdb" + numbers, "sda"},
		"spare":         {"\tmirror-0" + numbers + "\t/dev/sda" + numbers + "\t/dev/sdb" + numbers + "spare    " + dashes + "\t/dev/sdc" + numbers, "sda sdb"},
		"log and cache": {"\t/dev/sda" + numbers + "logs     " + dashes + "\t/dev/sdb" + numbers + "cache    " + dashes + "\t/dev/sdc" + numbers, "sda sdb"},
		"special":       {"\t/dev/sda" + numbers + "special  " + dashes + "\t/dev/sdb" + numbers + "spare    " + dashes + "\t/dev/sdc" + numbers, "sda sdb"},
		"spare in use":  {"\tmirror-0" + numbers + "\tspare-0" + numbers + "\t/dev/sda" + numbers + "\t/dev/sdb" + numbers, "sda sdb"},
	} {
		r := &reader{capture: &capture{}, member: map[string][]string{}}
		for _, device := range []string{"sda", "sdb", "sdc"} {
			r.facts.Block = append(r.facts.Block, assay.BlockDevice{Name: device, Path: "/dev/" + device})
		}
		r.members(ran{lines: strings.Split("tank"+numbers+strings.TrimSuffix(c.list, "\n"), "\n")})
		if got := strings.Join(r.member["tank"], " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
