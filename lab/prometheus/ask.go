package prometheus

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"assay/lab/internal/wait"
)

// Alert is an alert as Alertmanager returns it.
type Alert struct {
	Labels, Annotations map[string]string
	Receivers           []struct{ Name string }
}

// Has reports whether an alert has at least these labels.
func (a Alert) Has(labels map[string]string) bool {
	for name, value := range labels {
		if a.Labels[name] != value {
			return false
		}
	}
	return true
}

// Sample is the newest value of a series.
type Sample struct {
	Labels map[string]string
	Value  float64
}

// get fetches a URL and returns the body as text, or decoded from JSON.
func get[T any](ctx context.Context, url string) (answer T, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return answer, err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return answer, err
	}
	if response.StatusCode != http.StatusOK {
		return answer, fmt.Errorf("%s: %s: %s", url, response.Status, body)
	}
	if text, is := any(&answer).(*string); is {
		*text = string(body)
		return answer, nil
	}
	return answer, json.Unmarshal(body, &answer)
}

// Fired returns the alerts that are active in Alertmanager.
func (l *Lab) Fired(ctx context.Context) ([]Alert, error) {
	return get[[]Alert](ctx, l.Alertmanager+"/api/v2/alerts?active=true")
}

// Pending returns the labels of the alerts in Prometheus, including those that have
// not held long enough to be sent.
func (l *Lab) Pending(ctx context.Context) (all []map[string]string, err error) {
	answer, err := get[struct {
		Data struct {
			Alerts []struct{ Labels map[string]string }
		}
	}](ctx, l.URL+"/api/v1/alerts")
	for _, a := range answer.Data.Alerts {
		all = append(all, a.Labels)
	}
	return all, err
}

// Query returns the current value of an expression.
func (l *Lab) Query(ctx context.Context, expr string) (all []Sample, err error) {
	answer, err := get[struct {
		Data struct {
			Result []struct {
				Metric map[string]string
				Value  [2]any
			}
		}
	}](ctx, l.URL+"/api/v1/query?query="+url.QueryEscape(expr))
	for _, r := range answer.Data.Result {
		v, err := strconv.ParseFloat(fmt.Sprint(r.Value[1]), 64)
		if err != nil {
			return nil, err
		}
		all = append(all, Sample{r.Metric, v})
	}
	return all, err
}

// Seen waits until each target has been scraped after that time, and each rule group
// evaluated after the scrapes.
func (l *Lab) Seen(ctx context.Context, since time.Time) error {
	last, err := wait.Until(ctx, 100*time.Millisecond, func() error { return l.seen(ctx, since) })
	if err != nil {
		return fmt.Errorf("%w: %w", err, last)
	}
	return nil
}

func (l *Lab) seen(ctx context.Context, since time.Time) error {
	targets, err := get[struct {
		Data struct {
			ActiveTargets []struct {
				ScrapeURL, Health, LastError string
				LastScrape                   time.Time
				LastScrapeDuration           float64
			}
		}
	}](ctx, l.URL+"/api/v1/targets")
	if err != nil {
		return err
	}
	if n := len(targets.Data.ActiveTargets); n < l.targets {
		return fmt.Errorf("%d of %d targets are known", n, l.targets)
	}
	scraped := since
	for _, t := range targets.Data.ActiveTargets {
		if !t.LastScrape.After(since) || t.Health != "up" {
			return fmt.Errorf("%s is %s, scraped %s: %s", t.ScrapeURL, t.Health, t.LastScrape, t.LastError)
		}
		if done := t.LastScrape.Add(time.Duration(t.LastScrapeDuration * float64(time.Second))); done.After(scraped) {
			scraped = done
		}
	}
	return l.evaluated(ctx, scraped)
}

func (l *Lab) evaluated(ctx context.Context, since time.Time) error {
	rules, err := get[struct {
		Data struct {
			Groups []struct {
				Name           string
				LastEvaluation time.Time
				Rules          []struct{ Name, Health, LastError string }
			}
		}
	}](ctx, l.URL+"/api/v1/rules")
	if err != nil {
		return err
	}
	if l.rules && len(rules.Data.Groups) == 0 {
		return fmt.Errorf("no rules are loaded")
	}
	for _, g := range rules.Data.Groups {
		if !g.LastEvaluation.After(since) {
			return fmt.Errorf("%s was evaluated at %s", g.Name, g.LastEvaluation)
		}
		for _, r := range g.Rules {
			if r.Health != "ok" {
				return fmt.Errorf("%s is %s: %s", r.Name, r.Health, r.LastError)
			}
		}
	}
	return nil
}
