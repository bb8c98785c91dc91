package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/internal/sleep"
	"assay/monitoring/push"
)

// pushEvery is how often the newest figures are pushed: Prometheus drops a sample after
// five minutes, and rounds are further apart.
const pushEvery = time.Minute

// pusher pushes the page of a watch. A failing push is reported once, and stops
// nothing.
type pusher struct {
	client *push.Client
	token  func() (string, error)
	page   *page
	say    func(format string, args ...any) error

	mu     sync.Mutex
	failed int // failed pushes in a row
}

// newPusher returns a pusher to an address. source names where its token is; "" for none.
func newPusher(address, source string, p *page, say func(string, ...any) error) (*pusher, error) {
	token, err := tokenOf(source)
	if err != nil {
		return nil, usage(fmt.Errorf("--push-token: %w", err))
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	client, err := push.New(address, token, host)
	if err != nil {
		return nil, usage(fmt.Errorf("--push: %w", err))
	}
	return &pusher{client: client, token: token, page: p, say: say}, nil
}

// tokenOf returns a function that reads the token from "env NAME" or "file PATH".
// Anything else may be a token, and is not repeated.
func tokenOf(source string) (read func() (string, error), err error) {
	kind, name, _ := strings.Cut(source, " ")
	name = strings.TrimSpace(name)
	switch {
	case source == "":
		return func() (string, error) { return "", nil }, nil
	case kind == "env" && name != "" && !strings.ContainsAny(name, " ="):
		return func() (string, error) {
			if text := strings.TrimSpace(os.Getenv(name)); text != "" {
				return text, nil
			}
			return "", assay.WithHint("export "+name, "%s is not set", name)
		}, nil
	case kind == "file" && name != "":
		return func() (string, error) {
			text, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			token := strings.TrimSpace(string(text))
			if token == "" || strings.ContainsAny(token, "\r\n") {
				return "", fmt.Errorf("%s: it is empty or has several lines", name)
			}
			return token, nil
		}, nil
	}
	return nil, assay.WithHint("use 'env NAME' or 'file PATH'; other users can see command-line arguments", "the token must not be on the command line")
}

// begin pushes at that interval until stop is called.
func (p *pusher) begin(ctx context.Context, every time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var over sync.WaitGroup
	over.Go(func() {
		for sleep.For(ctx, every) == nil {
			p.push(ctx)
		}
	})
	return func() { cancel(); over.Wait() }
}

// push sends the newest figures.
func (p *pusher) push(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	err := p.client.Send(ctx, p.page.samples(), now)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		if p.failed++; p.failed == 1 {
			_ = p.say("warning: push to %s: %v; assay keeps trying\n", p.client.Address(), err)
		}
	case p.failed > 0:
		_ = p.say("note: pushes to %s succeed again; %d failed\n", p.client.Address(), p.failed)
		p.failed = 0
	}
}
