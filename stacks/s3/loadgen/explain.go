package loadgen

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"
)

// Explain sorts what minio-go gives as an error into the same classes as those of
// a load; nil for none.
func Explain(op Op, endpoint string, err error) *Failure {
	if err == nil {
		return nil
	}
	var known *Failure
	if errors.As(err, &known) {
		return known
	}
	var answer minio.ErrorResponse
	if errors.As(err, &answer) && answer.StatusCode != 0 {
		body, _ := xml.Marshal(answer) // plain words and numbers
		class, detail := fromAnswer(answer.StatusCode, http.Header{}, body, time.Now())
		return &Failure{Class: class, Op: op, Endpoint: endpoint, Detail: detail}
	}
	return &Failure{Class: fromError(err), Op: op, Endpoint: endpoint, Detail: err.Error(), Err: err}
}

// WatchClock is a transport that says of an answer which refuses, where the
// store's clock is far from this one's, that this is why: stores call it by many
// names.
type WatchClock struct{ http.RoundTripper }

// RoundTrip passes a request on.
func (t WatchClock) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.RoundTripper.RoundTrip(r)
	if err != nil || answer.StatusCode != http.StatusForbidden && answer.StatusCode != http.StatusBadRequest {
		return answer, err
	}
	served, err := http.ParseTime(answer.Header.Get("Date"))
	apart := time.Since(served).Abs()
	if err != nil || apart <= farApart {
		return answer, nil
	}
	_ = answer.Body.Close()
	return nil, &Failure{Class: Clock, Op: Op(r.Method), Endpoint: r.URL.Scheme + "://" + r.URL.Host,
		Detail: fmt.Sprintf("%s apart (%s)", apart.Round(time.Second), answer.Status)}
}
