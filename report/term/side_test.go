package term

import (
	"fmt"
	"strings"
	"testing"

	"assay/report/reporttest"
)

func TestClusterGolden(t *testing.T) {
	for _, columns := range []int{40, 80, 120} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			got := written(t, reporttest.Cluster(), Options{Width: columns})
			reporttest.Golden(t, fmt.Sprintf("cluster-%d-plain.golden", columns), []byte(got))
		})
	}
}

// Six hosts fit into a table at 80 columns, and thirty into several tables;
// lists are used where not even four hosts fit. No line is too long in any.
func TestManyHostsFit(t *testing.T) {
	for _, k := range []struct {
		hosts, columns int
		table          bool
	}{{4, 80, true}, {6, 80, true}, {20, 80, true}, {30, 80, true}, {30, 200, true}, {20, 40, false}} {
		d := reporttest.Wide(k.hosts)
		got := written(t, d, Options{Width: k.columns})
		is := strings.Contains(strings.Join(strings.Fields(got), " "), "node1 node2 node3")
		if is != k.table {
			t.Errorf("%d hosts at %d columns: a table is %v, want %v\n%s", k.hosts, k.columns, is, k.table, got)
		}
		want := k.hosts*(k.hosts-1) + 1 // plus the reference of the links at a glance
		if n := strings.Count(got, "9.41 G"); n != want {
			t.Errorf("%d hosts: %d figures of the matrix, want %d", k.hosts, n, want)
		}
	}
}
