package cluster

import (
	"strings"
	"testing"

	"assay"
)

func TestChooseTiers(t *testing.T) {
	c, err := Read("full.yaml", files(t, "valid")["full.yaml"])
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

func TestWhereATierIsMeasured(t *testing.T) {
	c, err := Read("full.yaml", files(t, "valid")["full.yaml"])
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
	if d := c.Tier("usb").Device; d.Serial != "0371" {
		t.Errorf("the serial lost its zero: %q", d.Serial)
	}
}
