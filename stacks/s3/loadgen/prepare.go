package loadgen

import (
	"context"
	"encoding/xml"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// prepareClients is the most clients that lay out or remove objects.
const prepareClients = 32

// Prepare checks that the bucket is usable at every endpoint, finds out how
// bodies may be signed, and lays out the objects to be read, listed or deleted.
// The error is a *Failure if the store or the network path to it is at fault.
func (c *Client) Prepare(ctx context.Context) error {
	if err := c.Check(ctx); err != nil {
		return err
	}
	return c.LayOut(ctx, time.Time{})
}

// each runs do in several workers and returns the first error.
func (c *Client) each(ctx context.Context, do func(ctx context.Context, w *worker, endpoint int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for i := range min(prepareClients, c.load.Concurrency*2) {
		all.Go(func() {
			w := c.newWorker(ctx, -1-i)
			defer w.close()
			if err := do(ctx, w, i%len(c.endpoints)); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	if ctx.Err() == nil {
		return nil
	}
	return context.Cause(ctx)
}

// Check lists one key of the prefix at every endpoint, and tries at one of them
// a PUT whose signature omits the body.
func (c *Client) Check(ctx context.Context) error {
	w := c.newWorker(ctx, -1)
	defer w.close()
	for i := range c.endpoints {
		if _, err := w.page(ctx, i, "", 1); err != nil {
			return err
		}
	}
	if c.target.Payload != Auto || c.unsigned.Load() {
		return nil
	}
	key := c.target.Prefix + "unsigned"
	c.unsigned.Store(true)
	var crc uint32
	r, s := request{method: http.MethodPut, key: key}, span{size: 1}
	w.describe(&r, &crc, s)
	_, _, err := w.exchange(ctx, 0, Put, r, s, nil)
	var failure *Failure
	if errors.As(err, &failure) && failure.Err == nil {
		c.unsigned.Store(false) // whatever the reason: a signed one tells
		r = request{method: http.MethodPut, key: key}
		w.describe(&r, &crc, s)
		_, _, err = w.exchange(ctx, 0, Put, r, s, nil)
	}
	if err != nil {
		return err
	}
	_, _, err = w.exchange(ctx, 0, Delete, request{method: http.MethodDelete, key: key}, span{}, nil)
	return err
}

// listing is one page of a listing below a prefix: keys, or multipart uploads.
type listing struct {
	Keys []struct {
		Key string `xml:"Key"`
	} `xml:"Contents"`
	Uploads []struct {
		Key string `xml:"Key"`
		ID  string `xml:"UploadId"`
	} `xml:"Upload"`
}

// page lists up to most keys below the prefix, after a key.
func (w *worker) page(ctx context.Context, endpoint int, after string, most int) (listing, error) {
	return w.list(ctx, endpoint, url.Values{"list-type": {"2"}, "prefix": {w.client.target.Prefix},
		"max-keys": {strconv.Itoa(most)}, "start-after": {after}})
}

func (w *worker) list(ctx context.Context, endpoint int, query url.Values) (listing, error) {
	var l listing
	if query.Get("start-after") == "" {
		query.Del("start-after")
	}
	_, body, err := w.exchange(ctx, endpoint, List, request{method: http.MethodGet, query: query}, span{}, nil)
	if err != nil {
		var f *Failure
		if errors.As(err, &f) && f.Class == NoObject {
			f.Class = NoBucket // a bucket request can miss nothing else
		}
		return l, err
	}
	if err := xml.Unmarshal(body, &l); err != nil {
		return l, &Failure{Class: NotS3, Op: List, Endpoint: w.links[endpoint].to.name, Detail: err.Error()}
	}
	return l, nil
}

// Clean removes every object and every unfinished upload below the prefix,
// whoever put it there, and returns how many distinct ones were listed: a store
// of several nodes may briefly list what is already gone. It repeats until
// nothing is listed, and is idempotent.
func (c *Client) Clean(ctx context.Context) (int, error) {
	w := c.newWorker(ctx, -1)
	defer w.close()
	gone := map[string]bool{}
	for {
		l, err := w.page(ctx, 0, "", 1000)
		if err != nil {
			return len(gone), err
		}
		uploads, err := w.list(ctx, 0, url.Values{"uploads": {""}, "prefix": {c.target.Prefix}, "max-uploads": {"1000"}})
		if err != nil {
			return len(gone), err
		}
		var requests []request
		for _, o := range l.Keys {
			requests = append(requests, request{method: http.MethodDelete, key: o.Key})
		}
		for _, u := range uploads.Uploads {
			requests = append(requests, request{method: http.MethodDelete, key: u.Key, query: url.Values{"uploadId": {u.ID}}})
		}
		if len(requests) == 0 {
			c.objects = objects{next: c.objects.next}
			return len(gone), nil
		}
		if err := c.remove(ctx, requests); err != nil {
			return len(gone), err
		}
		for _, r := range requests {
			gone[r.key+"?"+r.query.Get("uploadId")] = true
		}
	}
}

// remove sends the delete requests.
func (c *Client) remove(ctx context.Context, requests []request) error {
	var next atomic.Int64
	return c.each(ctx, func(ctx context.Context, w *worker, endpoint int) error {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(requests) {
				return nil
			}
			if err := w.removed(ctx, endpoint, requests[i]); err != nil {
				return err
			}
		}
	})
}

// removed sends a delete request. A missing object is no error.
func (w *worker) removed(ctx context.Context, endpoint int, r request) error {
	_, _, err := w.exchange(ctx, endpoint, Delete, r, span{}, nil)
	var f *Failure
	if errors.As(err, &f) && f.Class == NoObject {
		return nil
	}
	return err
}
