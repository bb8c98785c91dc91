package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"assay/stacks/kube/api"
	"assay/stacks/kube/api/apitest"
)

// The paths are those of the Kubernetes 1.33 API reference.
func TestPaths(t *testing.T) {
	s := apitest.Serve(t)
	ctx, c, every := t.Context(), s.Client, metav1.ListOptions{}
	for want, ask := range map[string]func() error{
		"list /api/v1/namespaces/ns/events":                     func() error { _, err := c.Events("ns").List(ctx, every); return err },
		"get /apis/batch/v1/namespaces/ns/jobs/x":               func() error { _, err := c.Jobs("ns").Get(ctx, "x"); return err },
		"create /apis/batch/v1/namespaces/ns/jobs":              func() error { _, err := c.Jobs("ns").Create(ctx, &batchv1.Job{}); return err },
		"get /api/v1/namespaces/x":                              func() error { _, err := c.Namespaces().Get(ctx, "x"); return err },
		"list /api/v1/nodes":                                    func() error { _, err := c.Nodes().List(ctx, every); return err },
		"delete /api/v1/namespaces/ns/persistentvolumeclaims/x": func() error { return c.PersistentVolumeClaims("ns").Delete(ctx, "x", metav1.DeleteOptions{}) },
		"patch /api/v1/persistentvolumes/x":                     func() error { _, err := c.PersistentVolumes().Patch(ctx, "x", map[string]any{}); return err },
		"list /api/v1/namespaces/ns/pods":                       func() error { _, err := c.Pods("ns").List(ctx, every); return err },
		"get /api/v1/namespaces/ns/pods/x/log":                  func() error { _, err := c.Log(ctx, "ns", "x", &corev1.PodLogOptions{}); return err },
		"get /api/v1/namespaces/ns/secrets/x":                   func() error { _, err := c.Secrets("ns").Get(ctx, "x"); return err },
		"get /api/v1/namespaces/ns/serviceaccounts/x":           func() error { _, err := c.ServiceAccounts("ns").Get(ctx, "x"); return err },
		"get /apis/storage.k8s.io/v1/storageclasses/x":          func() error { _, err := c.StorageClasses().Get(ctx, "x"); return err },
		"create /apis/authorization.k8s.io/v1/selfsubjectaccessreviews": func() error {
			_, err := c.SelfSubjectAccessReviews().Create(ctx, new(authorizationv1.SelfSubjectAccessReview))
			return err
		},
		"create /apis/authentication.k8s.io/v1/selfsubjectreviews": func() error {
			_, err := c.SelfSubjectReviews().Create(ctx, new(authenticationv1.SelfSubjectReview))
			return err
		},
		"list /apis/longhorn.io/v1beta2/namespaces/longhorn-system/volumes": func() error { _, err := custom(c).In("longhorn-system").List(ctx, every); return err },
		"list /apis/longhorn.io/v1beta2/volumes":                            func() error { _, err := custom(c).List(ctx, every); return err },
	} {
		before := len(s.Asked())
		if err := ask(); err != nil && !apierrors.IsNotFound(err) {
			t.Errorf("%s: %v", want, err)
		}
		asked := s.Asked()[before:]
		if len(asked) != 1 || asked[0].Verb+" "+asked[0].Path != want {
			t.Errorf("asked %+v, want %s", asked, want)
		}
	}
	if got, want := c.Exec("ns", "x", &corev1.PodExecOptions{Stdin: true, Container: "c", Command: []string{"sh", "-c", "a b"}}).RequestURI(),
		"/api/v1/namespaces/ns/pods/x/exec?command=sh&command=-c&command=a+b&container=c&stdin=true"; got != want {
		t.Errorf("exec at %s, want %s", got, want)
	}
}

type volume struct {
	metav1.ObjectMeta `json:"metadata"`
}

func custom(c *api.Client) api.Resource[volume] {
	return api.At[volume](c, schema.GroupVersionResource{Group: "longhorn.io", Version: "v1beta2", Resource: "volumes"})
}

func TestObjectsComeAndGo(t *testing.T) {
	s := apitest.Serve(t, claim("a", "ns", "mine"), claim("b", "ns", "theirs"), claim("a", "elsewhere", "mine"))
	ctx := t.Context()
	claims := s.Client.PersistentVolumeClaims("ns")
	names := func(of metav1.ListOptions, in api.Resource[corev1.PersistentVolumeClaim]) []string {
		list, err := in.List(ctx, of)
		if err != nil || list.ResourceVersion == "" {
			t.Fatalf("version %q, %v", list.ResourceVersion, err)
		}
		var all []string
		for _, c := range list.Items {
			all = append(all, c.Namespace+"/"+c.Name)
		}
		return all
	}
	for _, c := range []struct {
		of   metav1.ListOptions
		in   string
		want []string
	}{
		{metav1.ListOptions{}, "ns", []string{"ns/a", "ns/b"}},
		{metav1.ListOptions{LabelSelector: "run=mine"}, "ns", []string{"ns/a"}},
		{metav1.ListOptions{FieldSelector: "metadata.name=a"}, "", []string{"elsewhere/a", "ns/a"}},
	} {
		if got := names(c.of, claims.In(c.in)); !slices.Equal(got, c.want) {
			t.Errorf("%+v in %q: %v, want %v", c.of, c.in, got, c.want)
		}
	}

	made, err := claims.Create(ctx, claim("c", "ns", "mine"))
	if err != nil || made.Name != "c" || made.ResourceVersion == "" {
		t.Fatalf("%+v, %v", made, err)
	}
	changed, err := claims.Patch(ctx, "c", map[string]any{"metadata": map[string]any{"labels": map[string]any{"run": nil, "kept": "yes"}}})
	if want := map[string]string{"kept": "yes"}; err != nil || !maps.Equal(changed.Labels, want) {
		t.Fatalf("%v, %v", changed.Labels, err)
	}
	_, err = claims.Patch(ctx, "c", map[string]any{"metadata": map[string]any{"resourceVersion": made.ResourceVersion}})
	if !apierrors.IsConflict(err) {
		t.Errorf("a version of old: %v", err)
	}

	background := metav1.DeletePropagationBackground
	if err := claims.Delete(ctx, "c", metav1.DeleteOptions{PropagationPolicy: &background, Preconditions: metav1.NewUIDPreconditions("7")}); err != nil {
		t.Fatal(err)
	}
	var said metav1.DeleteOptions
	if err := json.Unmarshal([]byte(s.Asked()[len(s.Asked())-1].Body), &said); err != nil ||
		said.Kind != "DeleteOptions" || *said.PropagationPolicy != background || *said.Preconditions.UID != "7" {
		t.Errorf("deleted with %+v, %v", said, err)
	}
	if _, err := claims.Get(ctx, "c"); !apierrors.IsNotFound(err) {
		t.Errorf("what is gone: %v", err)
	}
}

func claim(name, namespace, run string) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"run": run}}}
}

// The server's message about a refusal is the error, with its reason.
func TestErrorsAreTheServers(t *testing.T) {
	s := apitest.Serve(t)
	refusal := apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "x", errors.New(`User "joe" cannot`))
	s.Handle(func(w http.ResponseWriter, _ apitest.Request) bool {
		apitest.Refuse(w, refusal)
		return true
	})
	ctx, pods := t.Context(), s.Client.Pods("ns")
	for verb, ask := range map[string]func() error{
		"get":    func() error { _, err := pods.Get(ctx, "x"); return err },
		"list":   func() error { _, err := pods.List(ctx, metav1.ListOptions{}); return err },
		"create": func() error { _, err := pods.Create(ctx, new(corev1.Pod)); return err },
		"delete": func() error { return pods.Delete(ctx, "x", metav1.DeleteOptions{}) },
		"log":    func() error { _, err := s.Client.Log(ctx, "ns", "x", &corev1.PodLogOptions{}); return err },
		"watch": func() error {
			for _, err := range pods.Watch(ctx, metav1.ListOptions{}) {
				return err
			}
			return nil
		},
	} {
		if err := ask(); !apierrors.IsForbidden(err) || err.Error() != refusal.Error() {
			t.Errorf("%s: %v, want %v", verb, err, refusal)
		}
	}
}

func TestNoNameAndNoJSON(t *testing.T) {
	s := apitest.Serve(t)
	if err := s.Client.Pods("ns").Delete(t.Context(), "", metav1.DeleteOptions{}); err == nil || len(s.Asked()) > 0 {
		t.Errorf("deleted all pods: %v, %v", s.Asked(), err)
	}
	s.Handle(func(w http.ResponseWriter, _ apitest.Request) bool {
		_, _ = io.WriteString(w, "<html>")
		return true
	})
	if pod, err := s.Client.Pods("ns").Get(t.Context(), "x"); err == nil {
		t.Errorf("got %+v", pod)
	}
}

// A watch reports everything since the given version, and what happens while it
// lasts; an error in the stream ends it.
func TestWatch(t *testing.T) {
	s := apitest.Serve(t, claim("a", "ns", "mine"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	claims := s.Client.PersistentVolumeClaims("ns")
	list, err := claims.List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.Put(claim("b", "ns", "mine"))
	s.Put(claim("c", "elsewhere", "mine"))
	var got []string
	for name, err := range claims.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, name)
		switch len(got) {
		case 1:
			s.Remove(claim("a", "ns", "mine"))
		case 2:
			cancel()
		}
	}
	if want := []string{"b", "a"}; !slices.Equal(got, want) {
		t.Errorf("saw %v, want %v", got, want)
	}

	s.Handle(func(w http.ResponseWriter, _ apitest.Request) bool {
		_, _ = io.WriteString(w, `{"type":"MODIFIED","object":{"metadata":{"name":"a"}}}
			{"type":"ERROR","object":{"kind":"Status","status":"Failure","reason":"Expired","code":410}}
			{"type":"MODIFIED","object":{"metadata":{"name":"b"}}}`)
		return true
	})
	got = nil
	var last error
	for name, err := range claims.Watch(t.Context(), metav1.ListOptions{}) {
		got, last = append(got, name), err
	}
	if !slices.Equal(got, []string{"a", ""}) || !apierrors.IsResourceExpired(last) {
		t.Errorf("saw %q, %v", got, last)
	}
}
