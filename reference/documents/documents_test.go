package documents

import "testing"

func TestEveryDocumentIsRead(t *testing.T) {
	figures := map[string]int{
		"four_proxmox_hosts": 108, "linstor_cluster": 200, "proxmox_ceph": 116, "raspberry_pi_storage": 58, "wyse_dd": 18,
	}
	for _, e := range must(files.ReadDir(".")) {
		d, err := read(e.Name())
		if err != nil {
			t.Error(err)
			continue
		}
		if d.Title == "" || d.Table.Source == "" {
			t.Errorf("%s has no title or source", d.Name)
		}
		n := 0
		for _, r := range d.Table.Results {
			for _, m := range r.Repeats[0].Measurements {
				n++
				if m.Line < 1 {
					t.Errorf("%s: %s has no line", d.Name, m.Metric)
				}
			}
		}
		if _, known := figures[d.Name]; !known || n != figures[d.Name] {
			t.Errorf("%s: %d figures, want %d", d.Name, n, figures[d.Name])
		}
	}
	if len(All()) != len(figures) {
		t.Errorf("%d documents, want %d", len(All()), len(figures))
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
