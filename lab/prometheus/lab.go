package prometheus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"assay/lab/internal/command"
	"assay/lab/internal/wait"
	"assay/monitoring/alerts"
)

// Missing returns an error that names the programs that are not installed.
func Missing() error {
	return command.Missing("a Prometheus", []command.Needed{{Program: "prometheus", Package: "prometheus"}, {Program: "prometheus-alertmanager", Package: "prometheus-alertmanager"}})
}

// Options configure a Prometheus.
type Options struct {
	Rules   string   // file of rules, evaluated every second; "" for none
	Targets []string // HOST:PORT, scraped at /metrics every second
	Writes  bool     // accept remote writes
}

// Lab is a Prometheus that sends alerts to its Alertmanager, which has the route that
// assay alerts writes.
type Lab struct {
	URL, Alertmanager string // http://127.0.0.1:PORT
	rules             bool
	targets           int
	processes         []*command.Process
}

// Up starts a lab in a new directory, and returns when both programs answer.
func Up(ctx context.Context, dir string, o Options) (*Lab, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	l := &Lab{rules: o.Rules != "", targets: len(o.Targets)}
	if err := l.start(ctx, dir, o); err != nil {
		l.Down()
		return nil, err
	}
	return l, nil
}

func (l *Lab) start(ctx context.Context, dir string, o Options) (err error) {
	route := filepath.Join(dir, "alertmanager.yml")
	if err := os.WriteFile(route, []byte(alerts.Route), 0o600); err != nil {
		return err
	}
	if l.Alertmanager, err = l.run(ctx, dir, "prometheus-alertmanager", "--config.file="+route, "--cluster.listen-address=", "--storage.path="+filepath.Join(dir, "alertmanager"), "--web.listen-address=127.0.0.1:0"); err != nil {
		return err
	}
	config := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(config, []byte(l.config(o)), 0o600); err != nil {
		return err
	}
	argv := []string{"prometheus", "--config.file=" + config, "--storage.tsdb.path=" + filepath.Join(dir, "tsdb"), "--web.listen-address=127.0.0.1:0"}
	if o.Writes {
		argv = append(argv, "--web.enable-remote-write-receiver")
	}
	l.URL, err = l.run(ctx, dir, argv...)
	return err
}

// config returns Prometheus' own configuration. Names in it are quoted so that
// they are valid JSON as well as YAML.
func (l *Lab) config(o Options) string {
	text := "global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}\n" +
		fmt.Sprintf("alerting: {alertmanagers: [{static_configs: [{targets: [%q]}]}]}\n", strings.TrimPrefix(l.Alertmanager, "http://"))
	if o.Rules != "" {
		text += fmt.Sprintf("rule_files: [%q]\n", o.Rules)
	}
	if len(o.Targets) > 0 {
		text += "scrape_configs:\n- job_name: lab\n  honor_labels: true\n  static_configs:\n  - targets:\n"
		for _, target := range o.Targets {
			text += fmt.Sprintf("    - %q\n", target)
		}
	}
	return text
}

var listening = regexp.MustCompile(`msg="Listening on" address=(\S+)`)

// run starts a program, and returns its URL when it is ready.
func (l *Lab) run(ctx context.Context, dir string, argv ...string) (url string, err error) {
	log := filepath.Join(dir, argv[0]+".log")
	p, err := command.Start(log, nil, argv...)
	if err != nil {
		return "", err
	}
	l.processes = append(l.processes, p)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-p.Died():
			cancel(fmt.Errorf("%s ended", argv[0]))
		case <-ctx.Done():
		}
	}()
	last, err := wait.Until(ctx, 50*time.Millisecond, func() error {
		text, err := os.ReadFile(log)
		if err != nil {
			return err
		}
		at := listening.FindSubmatch(text)
		if at == nil {
			return fmt.Errorf("it doesn't say where it listens: %s", text)
		}
		url = "http://" + string(at[1])
		_, err = get[string](ctx, url+"/-/ready")
		return err
	})
	if err != nil {
		return "", fmt.Errorf("%w: %w: %w", context.Cause(ctx), err, last)
	}
	return url, nil
}

// Down ends both and waits until they are gone.
func (l *Lab) Down() {
	for _, p := range l.processes {
		p.Kill()
	}
}
