package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestApartKeepsWhatDiffers(t *testing.T) {
	for _, c := range []struct {
		subjects []string
		want     map[string]string
	}{
		{nil, map[string]string{}},
		{[]string{"pve1/cpu/cpu", "pve1/cpu/cpu"}, map[string]string{"pve1/cpu/cpu": ""}},
		{[]string{"pve1/directory//srv", "pve2/directory//srv"}, map[string]string{"pve1/directory//srv": "pve1", "pve2/directory//srv": "pve2"}},
		{[]string{"pve4/drive/nvme0n1", "pve4/drive/sda"}, map[string]string{"pve4/drive/nvme0n1": "nvme0n1", "pve4/drive/sda": "sda"}},
		{[]string{"a/b", "a/b/b"}, map[string]string{"a/b": "", "a/b/b": "b"}},
		{[]string{"", "a"}, map[string]string{"": "", "a": "a"}},
	} {
		var rows []Row
		for _, s := range c.subjects {
			rows = append(rows, Row{Subject: s})
		}
		if d := cmp.Diff(c.want, apart(rows)); d != "" {
			t.Errorf("apart(%q):\n%s", c.subjects, d)
		}
	}
}

func TestFootnotesTellEqualTitlesApart(t *testing.T) {
	rows := []Row{
		{Trial: "a", Title: "random read", Subject: "pve1/directory//srv"}, {Trial: "b", Title: "random read", Subject: "pve2/directory//srv"},
		{Trial: "c", Title: "all threads"}, {Trial: "c", Title: "all threads over one"},
	}
	want := map[string]string{"a": "random read on pve1/directory//srv", "b": "random read on pve2/directory//srv", "c": "all threads"}
	if d := cmp.Diff(want, titlesOf(Document{Sections: []Section{{Rows: rows}}})); d != "" {
		t.Error(d)
	}
}
