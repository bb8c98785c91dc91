package cluster

import (
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/volume/all"
	"assay/volume/rawblock"
)

func TestChooseTiers(t *testing.T) {
	c, err := Read("full.yaml", files(t, "valid")["full.yaml"], all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{
		"":          "nas sd usb image longhorn scratch garage",
		"longhorn":  "longhorn",
		"garage sd": "sd garage",
		"pve1":      "nas",
		"small":     "nas",
		"pi1":       "sd longhorn garage",
	} {
		tiers, err := c.ChooseTiers(strings.Fields(words))
		var names []string
		for _, tier := range tiers {
			names = append(names, tier.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", words, got, err, want)
		}
	}
	if _, err := c.ChooseTiers([]string{"longhron"}); err == nil || assay.Hint(err) != `did you mean "longhorn"?` {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}
	if _, err := c.ChooseTiers([]string{"pve3"}); err == nil {
		t.Error("a host that measures no tier gives tiers")
	}
	if _, err := (Cluster{File: "c.yaml"}).ChooseTiers(nil); err == nil || !strings.Contains(err.Error(), "c.yaml") {
		t.Errorf("%v", err)
	}
}

// Naming a host or node selects only its part of a tier; the other hosts are
// included when the tier is named too.
func TestChooseTiersOnSomeHosts(t *testing.T) {
	c, err := Read("full.yaml", files(t, "valid")["full.yaml"], all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{
		"pve1":         "nas pve1",
		"small":        "nas pve1 pve2",
		"nas":          "nas pve1 pve2",
		"pve2 nas":     "nas pve1 pve2",
		"pi2":          "usb pi2, image pi2, longhorn pi2",
		"longhorn@pi2": "longhorn pi2",
		"pi1 longhorn": "sd pi1, longhorn pi1 pi2, garage pi1",
		"scratch":      "scratch",
	} {
		tiers, err := c.ChooseTiers(strings.Fields(words))
		if got := clientsIn(tiers); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", words, got, err, want)
		}
	}
	if len(c.Tier("longhorn").Nodes) != 2 || len(c.Tier("nas").Hosts) != 2 {
		t.Error("choosing changed the file's tiers")
	}
}

func clientsIn(tiers []Tier) string {
	var all []string
	for _, t := range tiers {
		all = append(all, strings.Join(slices.Concat([]string{t.Name}, t.Hosts, t.Nodes), " "))
	}
	return strings.Join(all, ", ")
}

// A resumed run selects its tiers by what it measured, whatever its hosts are
// called.
func TestTiersOf(t *testing.T) {
	c, err := Read("full.yaml", files(t, "valid")["full.yaml"], all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	onNode := func(host, node string) map[string]string { return map[string]string{host: node} }
	for _, run := range []struct {
		was  []assay.Tier
		want string
	}{
		{[]assay.Tier{{Name: "nas", Hosts: []string{"pve1"}}}, "nas pve1"},
		{[]assay.Tier{{Name: "nas", Hosts: []string{"pve1", "pve2"}}}, "nas pve1 pve2"},
		{[]assay.Tier{{Name: "longhorn", Hosts: []string{"longhorn@pi2"}, Nodes: onNode("longhorn@pi2", "pi2")}}, "longhorn pi2"},
		{[]assay.Tier{{Name: "sd", Hosts: []string{"sd"}, Nodes: onNode("sd", "pi1")}, {Name: "garage", Hosts: []string{"garage"}, Nodes: onNode("garage", "pi1")}},
			"sd pi1, garage pi1"},
		{[]assay.Tier{{Name: "scratch", Hosts: []string{"scratch"}, Nodes: onNode("scratch", "pi2")}}, "scratch"}, // chosen by the scheduler
	} {
		tiers, err := c.TiersOf(run.was)
		if got := clientsIn(tiers); err != nil || got != run.want {
			t.Errorf("%+v: %q, %v; want %q", run.was, got, err, run.want)
		}
	}
	for name, was := range map[string]assay.Tier{
		`no longer has tier "longhron"`: {Name: "longhron"},
		"now measured from other hosts": {Name: "sd", Hosts: []string{"sd"}, Nodes: onNode("sd", "pi7")},
	} {
		if _, err := c.TiersOf([]assay.Tier{was}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: %v", was, err)
		}
	}
}

func TestSort(t *testing.T) {
	c, err := Read("full.yaml", files(t, "valid")["full.yaml"], all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string][2]string{
		"":                   {"", ""},
		"pve3":               {"pve3", ""},
		"longhorn pi1":       {"", "longhorn pi1"},
		"pve1":               {"pve1", "pve1"},
		"all-flash nas pve2": {"all-flash pve2", "nas pve2"},
	} {
		hosts, tiers, err := c.Sort(strings.Fields(words))
		if got := [2]string{strings.Join(hosts, " "), strings.Join(tiers, " ")}; err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", words, got, err, want)
		}
	}
	if _, _, err := c.Sort([]string{"pve1", "longhron"}); err == nil || assay.Hint(err) != `did you mean "longhorn"?` {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}
}

func TestOneDirectoryIsOneTier(t *testing.T) {
	const hosts = "hosts: {h1: 10.0.0.1, h2: 10.0.0.2}\ntiers:\n  nas: {hosts: [h1], directory: /mnt}\n"
	for more, want := range map[string]string{
		"  other: {hosts: [h2, h1], directory: /mnt}": "c.yaml:4:3: tier other: h1 already measures /mnt as tier nas",
		"  other: {hosts: [h2], directory: /mnt}":     "",
		"  other: {hosts: [h1], directory: /mnt/b}":   "",
	} {
		if _, err := Read("c.yaml", []byte(hosts+more+"\n"), all.Kinds()...); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %v", more, err)
		}
	}
}

func TestWhereATierIsMeasured(t *testing.T) {
	c, err := Read("full.yaml", files(t, "valid")["full.yaml"], all.Kinds()...)
	if err != nil {
		t.Fatal(err)
	}
	for name, inPods := range map[string]bool{"nas": false, "sd": true, "usb": true, "longhorn": true, "scratch": true, "garage": true} {
		if got := c.Tier(name).InPods(); got != inPods {
			t.Errorf("tier %s in pods: %v", name, got)
		}
	}
	taint := c.Kubernetes.Tolerations[0]
	if taint != (Toleration{Key: "node-role.kubernetes.io/control-plane", Effect: "NoSchedule"}) {
		t.Errorf("%+v", taint)
	}
	if d := c.Tier("usb").Storage.(*rawblock.Storage); d.Serial != "0371" {
		t.Errorf("the serial lost its zero: %q", d.Serial)
	}
}
