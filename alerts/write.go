package alerts

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

type ruleFile struct {
	Groups []ruleGroup `yaml:"groups"`
}

type ruleGroup struct {
	Name  string      `yaml:"name"`
	Rules []ruleEntry `yaml:"rules"`
}

type ruleEntry struct {
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	For         string            `yaml:"for"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// Write writes rules as a file for Prometheus: a group an exporter. about stands above them
// as a comment.
func Write(w io.Writer, rules []Rule, about string) error {
	var f ruleFile
	for _, r := range rules {
		name := "assay-" + strings.NewReplacer("_", "-", " ", "-").Replace(r.Exporter)
		i := slices.IndexFunc(f.Groups, func(g ruleGroup) bool { return g.Name == name })
		if i < 0 {
			f.Groups = append(f.Groups, ruleGroup{Name: name})
			i = len(f.Groups) - 1
		}
		f.Groups[i].Rules = append(f.Groups[i].Rules, ruleEntry{r.Alert, r.Expr, r.For, r.labels(), r.annotations()})
	}
	return writeYAML(w, about, f)
}

func (r Rule) labels() map[string]string {
	return map[string]string{"severity": r.Severity, "source": "assay"}
}

func (r Rule) annotations() map[string]string {
	return map[string]string{"summary": r.Summary, "reason": r.Reason, "next": r.Next}
}

type testFile struct {
	RuleFiles []string   `yaml:"rule_files"`
	Interval  string     `yaml:"evaluation_interval"`
	Tests     []unitTest `yaml:"tests"`
}

type unitTest struct {
	Name     string      `yaml:"name"`
	Interval string      `yaml:"interval"`
	Series   []Series    `yaml:"input_series"`
	Alerts   []alertTest `yaml:"alert_rule_test"`
}

type alertTest struct {
	At       string     `yaml:"eval_time"`
	Alert    string     `yaml:"alertname"`
	Expected []expected `yaml:"exp_alerts"`
}

type expected struct {
	Labels      map[string]string `yaml:"exp_labels"`
	Annotations map[string]string `yaml:"exp_annotations"`
}

// WriteTests writes the unit tests of rules, for promtool test rules: of each rule one that
// fires and one that does not. ruleFile is where the rules are.
func WriteTests(w io.Writer, rules []Rule, ruleFile, about string) error {
	f := testFile{RuleFiles: []string{ruleFile}, Interval: "5m"}
	for _, r := range rules {
		at := "1h"
		if r.For == "90m" {
			at = "2h30m"
		}
		fires := expected{Labels: maps.Clone(r.Labels), Annotations: r.rendered()}
		maps.Copy(fires.Labels, r.labels())
		f.Tests = append(f.Tests,
			unitTest{r.Alert + " fires", "1m", r.Fires, []alertTest{{at, r.Alert, []expected{fires}}}},
			unitTest{r.Alert + " stays quiet", "1m", r.Quiet, []alertTest{{at, r.Alert, []expected{}}}})
	}
	return writeYAML(w, about, f)
}

// rendered are the annotations as Prometheus fills them in.
func (r Rule) rendered() map[string]string {
	all := r.annotations()
	for name, text := range all {
		for label, value := range r.Labels {
			text = strings.ReplaceAll(text, "{{ $labels."+label+" }}", value)
		}
		all[name] = text
	}
	return all
}

func writeYAML(w io.Writer, about string, v any) error {
	text, err := yaml.Marshal(v)
	if err != nil {
		return err
	}
	var b strings.Builder
	for line := range strings.Lines(about) {
		b.WriteString(strings.TrimRight("# "+strings.TrimSpace(line), " ") + "\n")
	}
	b.Write(text)
	_, err = io.WriteString(w, b.String())
	return err
}

// Route is an example of an Alertmanager's configuration for these rules: what is critical
// at once, and the rest once a day.
const Route = `# Where alerts of assay's rules go: put your own receivers in.
route:
  receiver: daily
  group_by: [alertname, instance, host]
  group_wait: 30s
  group_interval: 5m
  repeat_interval: 24h
  routes:
    - matchers: [source="assay", severity="critical"]
      receiver: at-once
      group_wait: 10s
      repeat_interval: 1h
receivers:
  - name: at-once
    webhook_configs:
      - url: http://127.0.0.1:8080/at-once
  - name: daily
    webhook_configs:
      - url: http://127.0.0.1:8080/daily
`
