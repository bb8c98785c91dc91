package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"assay"
)

// keyLife is how long a Garage key lives if nobody removes it: longer than any
// run. Versions before 2.1 have no expiry and ignore it.
const keyLife = 7 * 24 * time.Hour

// admin is a client of Garage's admin API, version 2.
type admin struct {
	address string
	token   string
	client  *http.Client
}

func (s Store) admin() (admin, error) {
	u, err := url.Parse(s.Garage.Address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return admin{}, errors.New("invalid address of Garage's admin API: expected http://host:3903")
	}
	transport, err := s.transport()
	return admin{address: u.Scheme + "://" + u.Host, token: s.Garage.Token, client: &http.Client{Transport: transport, Timeout: 30 * time.Second}}, err
}

// adminError is a response other than success.
type adminError struct {
	address, call string
	status        int
	code, text    string
}

func (e *adminError) Error() string {
	return fmt.Sprintf("garage's admin API at %s: %s: %d %s", e.address, e.call, e.status, strings.TrimSpace(e.code+" "+e.text))
}

// call sends one request, with its query, and decodes the response into reply,
// unless that is nil.
func (a admin) call(ctx context.Context, verb, what string, query url.Values, body, reply any) error {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, verb, a.address+"/v2/"+what+"?"+query.Encode(), sent)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+a.token)
	answer, err := a.client.Do(r)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // its address has the query
		}
		return assay.WithHint("check the address, and that this host can reach it", "garage's admin API at %s: %w", a.address, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 16<<20))
	if err != nil {
		return fmt.Errorf("garage's admin API at %s: %s: %w", a.address, what, err)
	}
	switch {
	case answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusUnauthorized:
		return assay.WithHint("the token must match admin_token in garage.toml", "garage's admin API at %s rejects the token", a.address)
	case answer.StatusCode/100 != 2:
		code, message := said(text)
		return &adminError{a.address, what, answer.StatusCode, code, message}
	case reply == nil:
		return nil
	}
	if err := json.Unmarshal(text, reply); err != nil {
		return assay.WithHint("assay needs version 2 of it (Garage 2.0 or later)", "no Garage admin API at %s", a.address)
	}
	return nil
}

// said returns an error's code, if it has one, and its message.
func said(text []byte) (code, message string) {
	var e struct{ Code, Message string }
	if json.Unmarshal(text, &e) == nil && e.Message != "" {
		return e.Code, e.Message
	}
	return "", strings.TrimSpace(string(text[:min(len(text), 200)]))
}

// garageKey is a key as the admin API reports it.
type garageKey struct {
	ID     string `json:"accessKeyId"`
	ListID string `json:"id"` // in a list
	Name   string `json:"name"`
	Secret string `json:"secretAccessKey"`
}

// garageBucket is a bucket as the admin API reports it.
type garageBucket struct {
	ID      string      `json:"id"`
	Objects int64       `json:"objects"`
	Uploads int64       `json:"unfinishedUploads"`
	Keys    []garageKey `json:"keys"`
}

// keysNamed returns the ids of the keys with that name.
func (a admin) keysNamed(ctx context.Context, name string) ([]string, error) {
	var all []garageKey
	if err := a.call(ctx, http.MethodGet, "ListKeys", nil, nil, &all); err != nil {
		return nil, err
	}
	var ids []string
	for _, k := range all {
		if k.Name == name {
			ids = append(ids, k.ListID)
		}
	}
	return ids, nil
}

// bucket returns the bucket with that name, nil if there is none.
func (a admin) bucket(ctx context.Context, name string) (*garageBucket, error) {
	b := new(garageBucket)
	err := a.call(ctx, http.MethodGet, "GetBucketInfo", url.Values{"globalAlias": {name}}, nil, b)
	if gone(err) {
		return nil, nil
	}
	return b, err
}

// allow gives a key every right in a bucket.
func (a admin) allow(ctx context.Context, bucket, key string) error {
	return a.call(ctx, http.MethodPost, "AllowBucketKey", nil, map[string]any{
		"bucketId": bucket, "accessKeyId": key, "permissions": map[string]bool{"read": true, "write": true, "owner": true},
	}, nil)
}

// makeGarage creates a key and a bucket of the same name, and waits until every
// endpoint knows both.
func makeGarage(ctx context.Context, dir string, s Store) error {
	a, err := s.admin()
	if err != nil {
		return err
	}
	there, err := a.bucket(ctx, s.Bucket)
	if err != nil {
		return err
	}
	keys, err := a.keysNamed(ctx, s.Bucket)
	if err != nil {
		return err
	}
	if err := begin(dir); err != nil {
		return err
	}
	if there != nil || len(keys) > 0 {
		return taken(s.Bucket)
	}
	var k garageKey
	if err := a.call(ctx, http.MethodPost, "CreateKey", nil, map[string]any{
		"name": s.Bucket, "expiration": time.Now().Add(keyLife).UTC().Format(time.RFC3339),
	}, &k); err != nil {
		return err
	}
	s.Keys = &Keys{Access: k.ID, Secret: k.Secret}
	if err := writeStore(dir, s); err != nil {
		return err
	}
	var b garageBucket
	if err := a.call(ctx, http.MethodPost, "CreateBucket", nil, map[string]any{"globalAlias": s.Bucket}, &b); err != nil {
		return err
	}
	if err := a.allow(ctx, b.ID, k.ID); err != nil {
		return err
	}
	return try(ctx, s, learning)
}

// removeGarage removes a bucket and its key, and checks that they are gone. It
// needs only the admin API and the bucket's name.
func removeGarage(ctx context.Context, s Store) (removed int, err error) {
	a, err := s.admin()
	if err != nil {
		return 0, err
	}
	p := new(patience)
	for first := true; ; first = false {
		b, err := a.bucket(ctx, s.Bucket)
		if err != nil {
			return removed, err
		}
		keys, err := a.keysNamed(ctx, s.Bucket)
		if err != nil || b == nil && len(keys) == 0 {
			return removed, err
		}
		if !first { // gone, but the node asked does not know yet
			if err := p.wait(ctx, fmt.Errorf("bucket or key %s still exists", s.Bucket)); err != nil {
				return removed, err
			}
		}
		if b != nil {
			n, err := a.removeBucket(ctx, s, *b, p)
			removed += n
			if err != nil && !gone(err) {
				return removed, err
			}
		}
		for _, id := range keys {
			if err := a.remove(ctx, "DeleteKey", id, p); err != nil {
				return removed, err
			}
		}
	}
}

// remove deletes a thing by its id; it may be gone already.
func (a admin) remove(ctx context.Context, what, id string, p *patience) error {
	err := a.call(ctx, http.MethodPost, what, url.Values{"id": {id}}, nil, nil)
	if gone(err) {
		return nil
	}
	if err == nil {
		p.renew()
	}
	return err
}

// gone reports whether what was requested does not exist.
func gone(err error) bool {
	var answer *adminError
	return errors.As(err, &answer) && answer.status == http.StatusNotFound
}

// removeBucket empties a bucket and removes it. It is assay's if its key has
// rights in it, or if it is empty: then the key may not have been given them
// yet.
func (a admin) removeBucket(ctx context.Context, s Store, b garageBucket, p *patience) (removed int, err error) {
	full := b.Objects > 0 || b.Uploads > 0
	for ; ; full = true {
		if full {
			if s.Keys, err = a.keysIn(ctx, b, s.Bucket); err != nil {
				return removed, err
			}
			n, err := empty(ctx, s)
			removed += n
			if err != nil {
				return removed, err
			}
			if n > 0 {
				p.renew()
			}
		}
		err := a.remove(ctx, "DeleteBucket", b.ID, p)
		var answer *adminError
		if !errors.As(err, &answer) || answer.code != notEmpty {
			return removed, err
		}
		if err := p.wait(ctx, err); err != nil {
			return removed, err
		}
	}
}

// keysIn returns the credentials of the key that has assay's name and rights in
// the bucket.
func (a admin) keysIn(ctx context.Context, b garageBucket, name string) (*Keys, error) {
	for _, k := range b.Keys {
		if k.Name != name {
			continue
		}
		var full garageKey
		err := a.call(ctx, http.MethodGet, "GetKeyInfo", url.Values{"id": {k.ID}, "showSecretKey": {"true"}}, nil, &full)
		return &Keys{Access: full.ID, Secret: full.Secret}, err
	}
	return nil, notOwn(name)
}

func notOwn(bucket string) error {
	return assay.WithHint("check its contents, and remove it by hand if nobody needs them", "bucket %s is not empty and not marked as created by assay", bucket)
}
