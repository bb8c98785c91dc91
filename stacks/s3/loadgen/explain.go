package loadgen

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"
)

// Explain sorts an error from minio-go into the classes that loads use; nil for
// nil.
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

// WatchClock is a transport that turns an error response into a Clock failure if
// the store's clock is far from this machine's: stores report that under many
// names.
type WatchClock struct{ http.RoundTripper }

// RoundTrip forwards a request.
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
