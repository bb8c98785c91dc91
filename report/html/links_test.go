package html

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assay/report"
	"assay/report/block"
	"assay/report/reporttest"
)

// pictures returns those of sick clusters of these sizes.
func pictures(sizes ...int) block.Document {
	d := block.Document{Title: "Pictures"}
	for _, n := range sizes {
		d.Add(block.Heading{Level: 1, Text: fmt.Sprintf("%d hosts", n)})
		for _, b := range report.Blocks(reporttest.Sick(n)).Blocks {
			if is[block.Links](b) {
				d.Add(b)
			}
		}
	}
	return d
}

// The picture marks the sick host, draws an arrow for each slow path in its
// direction, and puts all of it into words.
func TestThePictureShowsTheSickHostAndTheDirection(t *testing.T) {
	for _, n := range []int{3, 8, 32} {
		var out bytes.Buffer
		if err := Render(&out, pictures(n)); err != nil {
			t.Fatal(err)
		}
		page := out.String()
		if got := strings.Count(page, `class="host bad"`); got != 1 || !strings.Contains(page, "▼ node3") {
			t.Errorf("%d hosts: %d are marked, want node3", n, got)
		}
		if got := strings.Count(page, `<g class="bad"><title>`); got != n-1 {
			t.Errorf("%d hosts: %d slow ways into node3, want %d", n, got, n-1)
		}
		for _, want := range []string{"node1 → node3: 9.9 %", "node1 → node2: 60 %", "Receives at 9.9 % and loses packets", "the faster quarter of the links reaches"} {
			if !strings.Contains(page, want) {
				t.Errorf("%d hosts: the page does not say %q", n, want)
			}
		}
	}
}

// An arrow's head points to the receiver.
func TestArrowsPointToTheReceiver(t *testing.T) {
	for _, l := range []linkLine{{0, 0, 100, 0, "bad"}, {100, 0, 0, 0, "bad"}, {0, 100, 0, 0, "doubt"}} {
		tip := strings.Split(strings.Fields(newArrow(l, "").Head)[0], ",")
		x, _ := strconv.ParseFloat(tip[0], 64)
		y, _ := strconv.ParseFloat(tip[1], 64)
		square := func(v float64) float64 { return v * v }
		if square(x-l.X2)+square(y-l.Y2) >= square(x-l.X1)+square(y-l.Y1) {
			t.Errorf("%v: its head is at %v, %v", l, x, y)
		}
	}
}

// Boxes of hosts do not overlap and are not cut off, however many there are and
// however long their names.
func TestHostsOfAPictureHaveRoom(t *testing.T) {
	for n := 1; n <= 40; n++ {
		b := block.Links{}
		for i := range n {
			b.Hosts = append(b.Hosts, block.LinkHost{Name: fmt.Sprintf("host%02d.rack7.lab.example", i), Is: block.Bad})
		}
		v := newLinks(b)
		for i, h := range v.Hosts {
			if h.X < 0 || h.X+h.Width > v.Width || h.Y < 0 || h.Y+h.Height > v.Height {
				t.Errorf("%d hosts: %s is cut off: %+v", n, h.Name, h)
			}
			for _, o := range v.Hosts[:i] {
				if h.X < o.X+o.Width && o.X < h.X+h.Width && h.Y < o.Y+o.Height && o.Y < h.Y+h.Height {
					t.Errorf("%d hosts: %s and %s overlap", n, h.Name, o.Name)
				}
			}
		}
	}
}

var anID = regexp.MustCompile(` id="([^"]*)"`)

func TestPicturesBringNoSecondID(t *testing.T) {
	var out bytes.Buffer
	if err := Render(&out, pictures(3, 3)); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, id := range anID.FindAllStringSubmatch(out.String(), -1) {
		if seen[id[1]] {
			t.Errorf("two elements have the id %s", id[1])
		}
		seen[id[1]] = true
	}
}

// A detour is drawn as two arrows via the host in between, not as a line of its own.
func TestThePictureDrawsADetour(t *testing.T) {
	d := block.Document{Title: "Detour"}
	d.Add(block.Links{
		Title: "storage", Hosts: []block.LinkHost{{Name: "host1"}, {Name: "host2"}, {Name: "host3"}},
		Ways: []block.Way{
			{From: "host1", To: "host2", Via: "host3", Share: .4, Is: block.Doubt, Text: "goes through host3, 1.0 Gb/s"},
			{From: "host2", To: "host1", Share: 1}, {From: "host1", To: "host3", Via: "10.0.0.9", Share: 1, Is: block.Doubt, Text: "goes through 10.0.0.9"},
		},
	})
	var out bytes.Buffer
	if err := Render(&out, d); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	if n := strings.Count(page, `<g class="doubt detour"><title>host1 → host2: 40 %, goes through host3, 1.0 Gb/s</title>`); n != 2 {
		t.Errorf("%d arrows, want 2", n)
	}
	if !strings.Contains(page, "by way of a third host") || !strings.Contains(page, `<g class="doubt detour"><title>host1 → host3: 100 %, goes through 10.0.0.9</title>`) {
		t.Error("the legend, or a way through a gateway, is missing")
	}
}

// A gateway is no host of the picture, and a path through one at full rate is not less.
func TestAPathThroughAGatewayIsNotLess(t *testing.T) {
	v := newLinks(block.Links{
		Hosts: []block.LinkHost{{Name: "a"}, {Name: "b"}},
		Ways:  []block.Way{{From: "a", To: "b", Via: "10.0.9.9", Share: 1, Is: block.Doubt, Text: "goes through 10.0.9.9"}, {From: "b", To: "a", Via: "10.0.9.9", Share: .2, Is: block.Bad}},
	})
	if want := []linkKey{{"bad", "less than half of it, or clearly worse than the others"}, {detourClass, "by way of a gateway"}}; !slices.Equal(v.Legend, want) {
		t.Errorf("the legend is %q", v.Legend)
	}
	if len(v.Arrows) != 2 {
		t.Errorf("%+v", v.Arrows)
	}
}
