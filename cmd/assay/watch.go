package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/internal/sleep"
	"assay/plan"
	"assay/plan/canary"
	"assay/plan/suite"
	"assay/run/session"
	"assay/store"
)

// watcher runs assay watch: in rounds, each of which is a run.
type watcher struct {
	*app
	at       where
	every    time.Duration
	rounds   int           // 0: for ever
	keep     time.Duration // time to keep rounds; 0: for ever
	keepWord string        // as given: 90d
	listen   string
	textfile string
	push     string // where to; "" for nowhere
	token    string // where to read it
	pusher   *pusher

	store  *store.Store
	page   page
	told   tellings
	lacked bool // some round lacked a figure that it should have
}

func (a *app) watchCommand() *cobra.Command {
	w := &watcher{app: a, told: tellings{}}
	var install, image string
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Keep measuring a little, and report what changes",
		Long: "watch measures a little in rounds: synchronous writes and reads (200 a second\n" +
			"for one second), round-trip time, one second of TCP, drive health and clocks.\n" +
			"It states the cost up front, and by default takes less than 0.1 % of the time of\n" +
			"storage and links and writes less than 50 GB a year. Each round is a run of its\n" +
			"own in the database. Lasting changes (see assay trend) and error counters that\n" +
			"grew are printed on stdout, and exported as metrics with --listen, --textfile or\n" +
			"--push.",
		Example: "  assay watch -i cluster.yaml --listen 127.0.0.1:9798\n  assay watch --dir /srv --rounds 1 --textfile /var/lib/prometheus/node-exporter/assay.prom\n  assay watch -i cluster.yaml --install systemd",
		Args:    exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := w.check(cmd.Flags().Changed("every")); err != nil {
				return err
			}
			var err error
			if w.keep, err = age("--keep", w.keepWord); err != nil {
				return err
			}
			if install != "" {
				return a.printInstall(w, install, image)
			}
			return w.watch(cmd.Context())
		},
	}
	w.at.flags(cmd)
	for _, name := range []string{"overwrite", "record", "replay"} {
		_ = cmd.Flags().MarkHidden(name)
	}
	cmd.Flags().DurationVar(&w.every, "every", 0, "interval between rounds (default: 1h, or longer if the cost limits need it)")
	cmd.Flags().IntVar(&w.rounds, "rounds", 0, "end after this many rounds, for cron (0: run until stopped)")
	cmd.Flags().StringVar(&w.keepWord, "keep", "", "delete rounds of this watch that are older than this: 90d, 52w (default: keep all)")
	cmd.Flags().StringVar(&w.listen, "listen", "", "serve the newest figures as OpenMetrics at /metrics on this `ADDRESS:PORT`")
	cmd.Flags().StringVar(&w.textfile, "textfile", "", "write them to this file after each round, for node_exporter's textfile collector (.prom)")
	cmd.Flags().StringVar(&w.push, "push", "", "push metrics every minute to this Prometheus remote-write `URL`")
	cmd.Flags().StringVar(&w.token, "push-token", "", "bearer token for --push: 'env NAME' or 'file PATH'")
	cmd.Flags().StringVar(&install, "install", "", "print a service that runs this watch, and exit: systemd or kubernetes")
	cmd.Flags().StringVar(&image, "image", "", "container image with assay in it, for --install kubernetes")
	return cmd
}

// check rejects bad flags before anything is asked.
func (w *watcher) check(paced bool) error {
	switch {
	case paced && w.every < time.Second:
		return usage(assay.WithHint("for example --every 1h", "--every %s: rounds must be at least 1s apart", w.every))
	case w.rounds < 0:
		return usage(fmt.Errorf("--rounds must not be negative: %d", w.rounds))
	case len(w.at.Overwrite) > 0 || w.at.Record != "" || w.at.Replay != "":
		return usage(errors.New("assay watch takes no --overwrite, --record or --replay"))
	case w.textfile != "" && !strings.HasSuffix(w.textfile, ".prom"):
		return usage(assay.WithHint("node_exporter reads only files that end in .prom", "--textfile %s: wrong ending", w.textfile))
	case w.token != "" && w.push == "":
		return usage(errors.New("--push-token needs --push"))
	}
	var err error
	if w.push != "" {
		if w.pusher, err = newPusher(w.push, w.token, &w.page, w.stderr.say); err != nil {
			return err
		}
	}
	_, err = w.at.target()
	return err
}

// options returns one round's options.
func (w *watcher) options() (session.Options, error) {
	target, err := w.at.target()
	target.Standing = true // don't create and destroy every few hours
	return session.Options{
		Target: target, Suite: suite.Watch(), Plan: plan.Options{Precision: plan.AsPlanned}, Version: ownVersion(),
		Labels: map[string]string{"job": "watch"},
	}, err
}

// watch prints the cost of a round, and makes rounds until there are enough.
func (w *watcher) watch(ctx context.Context) error {
	if err := w.price(ctx); err != nil {
		if ctx.Err() != nil {
			return err
		}
		w.page.failed() // with --rounds 1 from cron, this is a round that failed
		return errors.Join(err, w.writeTextfile())
	}
	var err error
	if w.store, err = w.openStore(ctx); err != nil {
		return err
	}
	defer w.store.Close()
	if w.listen != "" {
		bound, stop, err := w.page.serve(w.listen)
		if err != nil {
			return err
		}
		defer stop()
		w.stdout.say("Metrics: http://%s/metrics\n", bound)
	}
	if w.pusher != nil {
		if _, err := w.pusher.token(); err != nil {
			return usage(fmt.Errorf("--push-token: %w", err))
		}
		defer w.pusher.begin(ctx, pushEvery)()
	}
	failed := 0
	for round := 1; ; round++ {
		begun := time.Now()
		if err := w.round(ctx); err != nil {
			if ctx.Err() != nil {
				return &statusError{exitInterrupted, nil}
			}
			failed++
			w.stderr.complain(fmt.Errorf("round %d: %w", round, err))
		}
		if w.rounds > 0 && round >= w.rounds {
			break
		}
		if sleep.For(ctx, w.every-time.Since(begun)) != nil {
			return &statusError{exitInterrupted, nil}
		}
	}
	switch {
	case failed == w.rounds:
		return &statusError{exitFailed, nil}
	case failed > 0 || w.lacked:
		return &statusError{exitPartial, nil}
	}
	return nil
}

// session returns a round's session and options.
func (w *watcher) session() (*session.Session, session.Options, error) {
	o, err := w.options()
	if err != nil {
		return nil, o, err
	}
	s, err := session.New(o)
	return s, o, err
}

// price plans a round, prints its cost, and sets the interval between rounds.
func (w *watcher) price(ctx context.Context) error {
	s, _, err := w.session()
	if err != nil {
		return err
	}
	p, err := s.Plan(ctx)
	if err != nil {
		return err
	}
	cost := canary.Of(p)
	if cost.Figures == 0 {
		return usage(assay.WithHint("run assay doctor to see what is missing", "nothing to watch: no trial of the watch can run here"))
	}
	if w.every == 0 {
		w.every = cost.Every()
	}
	w.page.every = w.every
	storage, link := cost.Shares(w.every)
	links := ""
	if cost.Link > 0 {
		links = fmt.Sprintf(" and %s of its links (%s %%)", seconds(cost.Link), quantity.Two(100*link))
	}
	w.stdout.say("A round every %s: %s, at most %s of a host's storage (%s %% of its time)%s.\n", seconds(w.every),
		prose.Plural(cost.Figures, "trial"), seconds(cost.Storage), quantity.Two(100*storage), links)
	w.stdout.say("It writes at most %s a round in a directory: %s a year.\n", quantity.Amount(float64(cost.Bytes), assay.Bytes), quantity.Amount(cost.Yearly(w.every), assay.Bytes))
	if !cost.Keeps(w.every) {
		w.stderr.say("note: this exceeds 0.1 %% of the time or 50 GB a year; --every %s stays below both\n", quantity.Span(cost.Every()))
	}
	return nil
}

func seconds(d time.Duration) string { return quantity.Duration(d.Seconds()) }

// round makes a run, reports what it shows, and exports it. That a round failed is
// exported, too: the older figures would pass for current ones.
func (w *watcher) round(ctx context.Context) error {
	run, err := w.measureRound(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && run.Status == assay.RunFailed {
		err = errors.New("no trial has a figure")
	}
	if run.ID == "" || err != nil {
		w.page.failed()
	} else {
		err = w.forget(ctx, run)
	}
	if w.pusher != nil {
		w.pusher.push(ctx)
	}
	return errors.Join(err, w.writeTextfile())
}

// measureRound makes a run and prints what it shows.
func (w *watcher) measureRound(ctx context.Context) (assay.Run, error) {
	s, o, err := w.session()
	if err != nil {
		return assay.Run{}, err
	}
	if err := s.CheckDirectories(); err != nil {
		return assay.Run{}, errors.Join(err, s.Close(ctx))
	}
	run, err := w.conduct(ctx, s, w.store, o)
	if run.ID == "" || err != nil || ctx.Err() != nil {
		return run, err
	}
	shown, err := w.changes(ctx, run)
	if err != nil {
		return run, err
	}
	w.say(run, shown)
	return run, nil
}

// writeTextfile writes the metrics to the file of --textfile, if there is one.
func (w *watcher) writeTextfile() error {
	if w.textfile == "" {
		return nil
	}
	if err := writeWhole(w.textfile, 0o644, w.page.write); err != nil { // node_exporter reads it as another user
		return fmt.Errorf("write %s: %w", w.textfile, err)
	}
	return nil
}

// say prints what a round shows, and keeps it for Prometheus.
func (w *watcher) say(run assay.Run, shown found) {
	w.stdout.say("%s %s: %s, %s\n", run.Started.Local().Format("2006-01-02 15:04:05"), run.ID, seconds(run.Elapsed), measuredOf(run))
	for _, line := range shown.lines {
		w.stdout.say("  %s\n", line)
	}
	w.lacked = w.lacked || len(shown.failing) > 0
	w.page.set(run, shown)
}

// measuredOf counts the trials of a round that have a figure.
func measuredOf(run assay.Run) string {
	have := 0
	for _, r := range run.Results {
		if len(r.Counted()) > 0 {
			have++
		}
	}
	if have == len(run.Results) {
		return prose.Plural(have, "trial")
	}
	return fmt.Sprintf("%d of %s", have, prose.Plural(len(run.Results), "trial"))
}
