package alerts

import (
	"fmt"
	"io"
	"maps"
	"strings"
	"time"
)

// Write writes a Prometheus rule file, with a group per exporter. about is the comment at
// its top.
func Write(w io.Writer, rules []Rule, about string) error {
	y := yaml{}
	y.comment(about)
	y.line(0, "groups:")
	for i, r := range rules {
		if i == 0 || rules[i-1].Exporter != r.Exporter {
			y.line(0, "- name: assay-"+strings.NewReplacer("_", "-", " ", "-").Replace(r.Exporter))
			y.line(1, "rules:")
		}
		y.line(1, "- alert: "+r.Alert)
		y.line(2, "expr: "+y.text(r.Expr))
		y.line(2, "for: "+r.For)
		y.words(2, "labels", r.labels())
		y.words(2, "annotations", r.annotations())
	}
	return y.write(w)
}

func (r Rule) labels() map[string]string {
	return map[string]string{"severity": r.Severity, "source": "assay"}
}

// annotations returns the annotations. Prometheus parses them as templates and rejects
// the whole file if one is invalid, so text with names in it is escaped.
func (r Rule) annotations() map[string]string {
	return map[string]string{"summary": r.Summary, "reason": literal(r.Reason), "next": literal(r.Next)}
}

func literal(text string) string { return strings.ReplaceAll(text, "{{", "{{`{{`}}") }

// WriteTests writes the rules' unit tests, for promtool test rules: per rule, one that
// fires and one that does not. ruleFile is the path of the rules.
func WriteTests(w io.Writer, rules []Rule, ruleFile, about string) error {
	y := yaml{}
	y.comment(about)
	y.line(0, "rule_files:")
	y.line(0, "- "+y.text(ruleFile))
	y.line(0, "evaluation_interval: 5m")
	y.line(0, "tests:")
	for _, r := range rules {
		at := "1h"
		if held, err := time.ParseDuration(r.For); err == nil && held > time.Hour {
			at = fmt.Sprintf("%dm", int(held.Minutes())+30)
		}
		labels := r.labels()
		maps.Copy(labels, r.Labels)
		for _, fires := range []bool{true, false} {
			series, name := r.Quiet, " stays quiet"
			if fires {
				series, name = r.Fires, " fires"
			}
			y.line(0, "- name: "+r.Alert+name)
			y.line(1, "interval: 1m")
			y.line(1, "input_series:")
			for _, s := range series {
				y.line(1, "- series: "+y.text(s.Series))
				y.line(2, "values: "+y.text(s.Values))
			}
			y.line(1, "alert_rule_test:")
			y.line(1, "- eval_time: "+at)
			y.line(2, "alertname: "+r.Alert)
			if !fires {
				y.line(2, "exp_alerts: []")
				continue
			}
			y.line(2, "exp_alerts:")
			y.line(2, "-")
			y.words(3, "exp_labels", labels)
			y.words(3, "exp_annotations", r.rendered())
		}
	}
	return y.write(w)
}

// rendered returns the annotations as Prometheus expands them.
func (r Rule) rendered() map[string]string {
	summary := r.Summary
	for label, value := range r.Labels {
		summary = strings.ReplaceAll(summary, "{{ $labels."+label+" }}", value)
	}
	return map[string]string{"summary": summary, "reason": r.Reason, "next": r.Next}
}

// Route is an example Alertmanager configuration for these rules: critical alerts at once,
// the rest once a day.
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
