package garage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"assay/lab/internal/wait"
)

// Admin returns the address and the token of the first node's admin API.
func (l *Lab) Admin() (address, token string) {
	return "http://" + l.at(l.state.Nodes[0].Admin), l.state.Token
}

// call sends a request to a node's admin API and decodes the answer into reply,
// unless that is nil. method includes the query.
func (l *Lab) call(ctx context.Context, n node, verb, method string, body, reply any) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	var sent io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, verb, "http://"+l.at(n.Admin)+"/v2/"+method, sent)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+l.state.Token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 16<<20))
	if err != nil {
		return fmt.Errorf("%s: %s: %w", n.Name, method, err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s: %s", n.Name, method, resp.Status, text)
	}
	if reply == nil {
		return nil
	}
	if err := json.Unmarshal(text, reply); err != nil {
		return fmt.Errorf("%s: %s: %w", n.Name, method, err)
	}
	return nil
}

// status is a node's view of its cluster.
type status struct {
	LayoutVersion int `json:"layoutVersion"`
	Nodes         []struct {
		ID   string `json:"id"`
		IsUp bool   `json:"isUp"`
	} `json:"nodes"`
}

func (l *Lab) status(ctx context.Context, n node) (status, error) {
	var s status
	err := l.call(ctx, n, http.MethodGet, "GetClusterStatus", nil, &s)
	return s, err
}

// join makes one cluster of nodes that do not know each other, and assigns each
// its share of the data.
func (l *Lab) join(ctx context.Context) error {
	first := l.state.Nodes[0]
	type role struct {
		ID       string   `json:"id"`
		Zone     string   `json:"zone"`
		Tags     []string `json:"tags"`
		Capacity int64    `json:"capacity"`
	}
	var roles []role
	var others []string
	for i, n := range l.state.Nodes {
		s, err := l.status(ctx, n)
		if err != nil {
			return err
		}
		if len(s.Nodes) != 1 {
			return fmt.Errorf("%s is new, and knows %d nodes", n.Name, len(s.Nodes))
		}
		key := s.Nodes[0].ID
		l.state.Nodes[i].Key = key
		// Only the ratio of the capacities matters.
		roles = append(roles, role{ID: key, Zone: n.Name, Tags: []string{}, Capacity: 10e9})
		if i > 0 {
			others = append(others, key+"@"+l.at(n.RPC))
		}
	}
	if len(others) > 0 {
		var made []struct {
			Success bool   `json:"success"`
			Error   string `json:"error"`
		}
		if err := l.call(ctx, first, http.MethodPost, "ConnectClusterNodes", others, &made); err != nil {
			return err
		}
		for i, m := range made {
			if !m.Success {
				return fmt.Errorf("%s does not reach %s: %s", first.Name, others[i], m.Error)
			}
		}
	}
	if err := l.call(ctx, first, http.MethodPost, "UpdateClusterLayout", map[string]any{"roles": roles}, nil); err != nil {
		return err
	}
	if err := l.call(ctx, first, http.MethodPost, "ApplyClusterLayout", map[string]any{"version": 1}, nil); err != nil {
		return err
	}
	return l.healthy(ctx)
}

// healthy waits until every node sees all nodes and can reach all data.
func (l *Lab) healthy(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	for _, n := range l.state.Nodes {
		last, err := wait.Until(ctx, 20*time.Millisecond, func() error {
			var h struct {
				Status       string `json:"status"`
				StorageNodes int    `json:"storageNodes"`
				Up           int    `json:"storageNodesUp"`
				Partitions   int    `json:"partitions"`
				AllOK        int    `json:"partitionsAllOk"`
			}
			err := l.call(ctx, n, http.MethodGet, "GetClusterHealth", nil, &h)
			all := len(l.state.Nodes)
			if err == nil && (h.Status != "healthy" || h.StorageNodes != all || h.Up != all || h.AllOK != h.Partitions) {
				err = fmt.Errorf("%s sees %d of %d nodes and is %q", n.Name, h.Up, all, h.Status)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("%w (%w)", last, err)
		}
	}
	return nil
}

// Key is the key pair that signs requests.
type Key struct {
	ID     string `json:"accessKeyId"`
	Secret string `json:"secretAccessKey"`
}

// NewKey creates a key without any permissions.
func (l *Lab) NewKey(ctx context.Context, name string) (Key, error) {
	var k Key
	err := l.call(ctx, l.state.Nodes[0], http.MethodPost, "CreateKey", map[string]any{"name": name}, &k)
	return k, err
}

// DeleteKey deletes a key.
func (l *Lab) DeleteKey(ctx context.Context, k Key) error {
	return l.call(ctx, l.state.Nodes[0], http.MethodPost, "DeleteKey?id="+url.QueryEscape(k.ID), nil, nil)
}

// Keys returns the ids of all keys. It waits until all running nodes return the
// same list.
func (l *Lab) Keys(ctx context.Context) ([]string, error) {
	return l.ids(ctx, "ListKeys")
}

// NewBucket creates a bucket that k may read, write and own, and returns its
// id. A name has three characters or more. It waits until every running node
// knows the bucket and the key: nodes inform each other only after answering.
func (l *Lab) NewBucket(ctx context.Context, name string, k Key) (id string, err error) {
	var b bucketInfo
	if err := l.call(ctx, l.state.Nodes[0], http.MethodPost, "CreateBucket", map[string]any{"globalAlias": name}, &b); err != nil {
		return "", err
	}
	if err := l.call(ctx, l.state.Nodes[0], http.MethodPost, "AllowBucketKey", map[string]any{
		"bucketId": b.ID, "accessKeyId": k.ID, "permissions": permissions{Read: true, Write: true, Owner: true},
	}, nil); err != nil {
		return b.ID, err
	}
	alive := l.processes().Alive()
	for _, n := range l.state.Nodes {
		if alive[n.Name] == 0 {
			continue
		}
		if err := l.knows(ctx, n, b.ID, k); err != nil {
			return b.ID, err
		}
	}
	return b.ID, nil
}

// permissions are the rights of a key on a bucket.
type permissions struct {
	Read  bool `json:"read"`
	Write bool `json:"write"`
	Owner bool `json:"owner"`
}

// bucketInfo is a node's view of a bucket.
type bucketInfo struct {
	ID      string   `json:"id"`
	Aliases []string `json:"globalAliases"`
	Keys    []struct {
		ID          string      `json:"accessKeyId"`
		Permissions permissions `json:"permissions"`
	} `json:"keys"`
}

// knows waits until a node knows that a key may write to a bucket.
func (l *Lab) knows(ctx context.Context, n node, bucket string, k Key) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	last, err := wait.Until(ctx, 10*time.Millisecond, func() error {
		var b bucketInfo
		if err := l.call(ctx, n, http.MethodGet, "GetBucketInfo?id="+url.QueryEscape(bucket), nil, &b); err != nil {
			return err
		}
		for _, may := range b.Keys {
			if may.ID == k.ID && may.Permissions.Write && len(b.Aliases) > 0 {
				return nil
			}
		}
		return fmt.Errorf("%s does not learn of the bucket", n.Name)
	})
	if err != nil {
		return fmt.Errorf("%w (%w)", last, err)
	}
	return nil
}

// DeleteBucket removes a bucket, which must be empty.
func (l *Lab) DeleteBucket(ctx context.Context, id string) error {
	return l.call(ctx, l.state.Nodes[0], http.MethodPost, "DeleteBucket?id="+url.QueryEscape(id), nil, nil)
}

// Buckets returns the ids of all buckets. It waits until all running nodes return
// the same list.
func (l *Lab) Buckets(ctx context.Context) ([]string, error) {
	return l.ids(ctx, "ListBuckets")
}

func (l *Lab) ids(ctx context.Context, method string) (ids []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	alive := l.processes().Alive()
	last, err := wait.Until(ctx, 10*time.Millisecond, func() error {
		ids = nil
		for _, n := range l.state.Nodes {
			if alive[n.Name] == 0 {
				continue
			}
			one, err := l.idsOf(ctx, n, method)
			if err != nil {
				return err
			}
			if ids != nil && !slices.Equal(one, ids) {
				return fmt.Errorf("the nodes do not agree on %s", method)
			}
			ids = one
		}
		if ids == nil {
			return fmt.Errorf("%s: no node runs", method)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", last, err)
	}
	return ids, nil
}

func (l *Lab) idsOf(ctx context.Context, n node, method string) ([]string, error) {
	var all []struct {
		ID string `json:"id"`
	}
	if err := l.call(ctx, n, http.MethodGet, method, nil, &all); err != nil {
		return nil, err
	}
	ids := []string{}
	for _, one := range all {
		ids = append(ids, one.ID)
	}
	slices.Sort(ids)
	return ids, nil
}
