package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"assay/lab/garage"
	"assay/stacks/s3/loadgen"
)

//go:embed s3boto3.py
var boto3Loop []byte

// layOutBound is the time limit for laying out objects.
const layOutBound = time.Minute

// s3Boto3 is a boto3 loop. Timing starts when it is loaded and its connections
// are open.
type s3Boto3 struct {
	python string // that has boto3
	loop   string // the script's path
	store  s3Store
}

func newS3Boto3(python string, s s3Store) (s3Boto3, error) {
	b := s3Boto3{python: python, loop: filepath.Join(s.dir, "boto3.py"), store: s}
	return b, os.WriteFile(b.loop, boto3Loop, 0o600)
}

// boto3Job is the loop's input.
type boto3Job struct {
	Endpoint string     `json:"endpoint"`
	Region   string     `json:"region"`
	Access   string     `json:"access"`
	Secret   string     `json:"secret"`
	Bucket   string     `json:"bucket"`
	Prefix   string     `json:"prefix"` // of the keys
	Op       loadgen.Op `json:"op"`
	Size     int64      `json:"size"`
	Clients  int        `json:"clients"`
	Seconds  float64    `json:"seconds"`
	Most     int64      `json:"most"`    // objects to write
	Objects  int        `json:"objects"` // to be read
}

func (s3Boto3) name() string { return "boto3" }

func (b s3Boto3) layOut(ctx context.Context, size int64) error {
	wanted := files(size)
	done, err := b.run(ctx, boto3Job{
		Prefix: laidOut(size), Op: loadgen.Put, Size: size, Clients: 8, Seconds: layOutBound.Seconds(), Most: int64(wanted),
	})
	if err == nil && done.ops != int64(wanted) {
		err = fmt.Errorf("%d of %d objects", done.ops, wanted)
	}
	return err
}

func (b s3Boto3) load(ctx context.Context, c s3Cell) (s3Done, error) {
	j := boto3Job{Prefix: laidOut(c.size), Op: c.op, Size: c.size, Clients: c.clients, Seconds: s3Length.Seconds(), Most: c.most(), Objects: files(c.size)}
	if c.op == loadgen.Put {
		j.Prefix = fmt.Sprintf("boto3/%d/%d/", c.size, c.clients)
	}
	return b.run(ctx, j)
}

// laidOut returns the key prefix of the objects to read.
func laidOut(size int64) string { return fmt.Sprintf("boto3/%d/laid-out/", size) }

func (b s3Boto3) run(ctx context.Context, j boto3Job) (s3Done, error) {
	j.Endpoint, j.Region, j.Bucket = b.store.endpoint, garage.Region, peersBucket
	j.Access, j.Secret = b.store.key.ID, b.store.key.Secret
	job, err := json.Marshal(j) //nolint:gosec // it goes to stdin, where a secret is safe
	if err != nil {
		return s3Done{}, err
	}
	out, err := command{argv: []string{b.python, "-I", b.loop}, stdin: job}.run(ctx)
	if err != nil {
		return s3Done{}, err
	}
	var did struct {
		Ops       int64
		Wall, CPU float64
	}
	if err := json.Unmarshal(out.stdout, &did); err != nil {
		return s3Done{}, fmt.Errorf("boto3's loop said %q: %w", out.stdout, err)
	}
	return s3Done{did.Ops, did.Wall, did.CPU}, nil
}
