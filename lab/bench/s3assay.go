package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"assay/lab/garage"
	"assay/stacks/s3/agent"
	"assay/stacks/s3/loadgen"
)

// ownBucket is the bucket that assay creates.
const ownBucket = "assay-bench"

// s3Assay is assay's load generator as a trial uses it: the binary, with a job
// on stdin.
type s3Assay struct {
	binary string
	dir    string // the agent's
}

// newS3Assay has the agent create its bucket and key.
func newS3Assay(ctx context.Context, binary string, s s3Store) (s3Assay, error) {
	a := s3Assay{binary: binary, dir: filepath.Join(s.dir, "agent")}
	if err := os.Mkdir(a.dir, 0o700); err != nil {
		return a, err
	}
	_, err := a.do(ctx, agent.Job{Do: agent.Make, Store: &agent.Store{
		Endpoints: []string{s.endpoint}, Region: garage.Region, Bucket: ownBucket, Owner: "bench",
		Garage: &agent.Garage{Address: s.admin, Token: s.token},
	}})
	return a, err
}

func (s3Assay) name() string { return "assay" }

func (a s3Assay) layOut(ctx context.Context, size int64) error {
	r, err := a.do(ctx, a.reading(agent.LayOut, s3Cell{loadgen.Get, size, 16}))
	if err == nil && r.Objects != files(size) {
		err = fmt.Errorf("%d of %d objects", r.Objects, files(size))
	}
	return err
}

func (a s3Assay) load(ctx context.Context, c s3Cell) (s3Done, error) {
	j := a.reading(agent.Run, c)
	if c.op == loadgen.Put {
		j.Set, j.Load.Objects = fmt.Sprintf("put-%d-%d", c.size, c.clients), 0
	}
	r, err := a.do(ctx, j)
	if err != nil {
		return s3Done{}, err
	}
	if r.Result == nil || len(r.Result.Clients) != 1 {
		return s3Done{}, errors.New("the agent measured nothing")
	}
	f, _ := r.Result.Figure(c.op)
	if n := r.Result.Failures(); n > 0 {
		return s3Done{}, fmt.Errorf("%d operations failed: %s", n, f.Errors[0].Example)
	}
	used := r.Result.Clients[0]
	return s3Done{f.Ops, r.Result.Elapsed, used.User + used.System}, nil
}

// reading returns a job on the objects of a size.
func (a s3Assay) reading(do agent.Verb, c s3Cell) agent.Job {
	return agent.Job{Do: do, Set: fmt.Sprintf("get-%d", c.size), Load: &loadgen.Load{
		Mix: map[loadgen.Op]int{c.op: 1}, Size: c.size, Concurrency: c.clients, Duration: s3Length, Limit: c.most(), Objects: files(c.size),
	}}
}

func (a s3Assay) do(ctx context.Context, j agent.Job) (agent.Reply, error) {
	j.Dir, j.Bucket = a.dir, ownBucket
	text, err := json.Marshal(j)
	if err != nil {
		return agent.Reply{}, err
	}
	out, err := command{argv: []string{a.binary, "agent"}, stdin: text, fine: []int{1}}.run(ctx)
	if err != nil {
		return agent.Reply{}, err
	}
	r, _, ok := agent.ReadReply(out.stdout)
	switch {
	case !ok:
		return r, errors.New("the agent did not reply")
	case r.Failed != nil:
		return r, errors.New(r.Failed.Text)
	}
	return r, nil
}
