// Package apitest is an API server for tests. It keeps objects of any kind in memory,
// and gets, lists, watches, creates, patches and deletes them as Kubernetes does; no
// controller acts on them. It does not validate objects.
package apitest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"assay/stacks/kube/api"
)

// Server serves requests until the test ends.
type Server struct {
	Client *api.Client
	URL    string

	t        *testing.T
	mu       sync.Mutex
	version  int
	objects  map[string]*unstructured.Unstructured // by path
	events   []event
	happened chan struct{} // closed by the next event
	asked    []Request
	handlers []Handler
}

// Request is a request that the server received.
type Request struct {
	Verb        string // get, list, watch, create, patch, delete
	Path        string // of the object or the collection
	Resource    string
	Name        string // "" for all
	Subresource string
	Query       url.Values
	Body        string
	whole       *http.Request
}

// Handler answers a request in place of the server, or returns false.
type Handler func(http.ResponseWriter, Request) bool

type event struct {
	version int
	kind    string // ADDED, MODIFIED, DELETED
	path    string
	object  *unstructured.Unstructured
}

// Serve starts a server with these objects.
func Serve(t *testing.T, objects ...runtime.Object) *Server {
	t.Helper()
	s := &Server{t: t, version: 1000, objects: map[string]*unstructured.Unstructured{}, happened: make(chan struct{})}
	for _, o := range objects {
		s.Put(o)
	}
	web := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(web.Close)
	client, err := api.New(&rest.Config{Host: web.URL, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	s.Client, s.URL = client, web.URL
	return s
}

// Handle lets h answer before the server and all earlier handlers.
func (s *Server) Handle(h Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handlers = append([]Handler{h}, s.handlers...)
}

// Asked returns the requests so far.
func (s *Server) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Put creates or updates an object.
func (s *Server) Put(object runtime.Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, err := plain(object)
	if err != nil {
		s.t.Errorf("put an object: %v", err)
		return
	}
	all, _ := meta.UnsafeGuessKindToResource(o.GroupVersionKind())
	s.keep(path.Join(pathOf(all, o.GetNamespace()), o.GetName()), o)
}

// Remove deletes an object added by Put.
func (s *Server) Remove(object runtime.Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, err := plain(object)
	if err != nil {
		s.t.Errorf("remove an object: %v", err)
		return
	}
	all, _ := meta.UnsafeGuessKindToResource(o.GroupVersionKind())
	s.drop(path.Join(pathOf(all, o.GetNamespace()), o.GetName()))
}

// Refuse responds with an API error.
func Refuse(w http.ResponseWriter, err error) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		status = apierrors.NewInternalError(err)
	}
	answer := status.Status()
	answer.Kind, answer.APIVersion = "Status", "v1"
	write(w, int(answer.Code), answer)
}

// plain returns an object as it is sent, with its kind.
func plain(object runtime.Object) (*unstructured.Unstructured, error) {
	if o, is := object.(*unstructured.Unstructured); is {
		return o.DeepCopy(), nil
	}
	kinds, _, err := scheme.Scheme.ObjectKinds(object)
	if err != nil {
		return nil, err
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	o := &unstructured.Unstructured{Object: content}
	o.SetGroupVersionKind(kinds[0])
	return o, nil
}

func pathOf(resource schema.GroupVersionResource, namespace string) string {
	root := "/apis/" + resource.Group + "/" + resource.Version
	if resource.Group == "" {
		root = "/api/" + resource.Version
	}
	if namespace != "" {
		root += "/namespaces/" + namespace
	}
	return root + "/" + resource.Resource
}

// keep stores an object at its path, under a new version.
func (s *Server) keep(at string, o *unstructured.Unstructured) {
	kind := "ADDED"
	if s.objects[at] != nil {
		kind = "MODIFIED"
	}
	s.objects[at] = o
	s.tell(kind, at, o)
}

func (s *Server) drop(at string) {
	if o := s.objects[at]; o != nil {
		delete(s.objects, at)
		s.tell("DELETED", at, o)
	}
}

func (s *Server) tell(kind, at string, o *unstructured.Unstructured) {
	s.version++
	o.SetResourceVersion(strconv.Itoa(s.version))
	s.events = append(s.events, event{s.version, kind, at, o.DeepCopy()})
	close(s.happened)
	s.happened = make(chan struct{})
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	q := requestOf(r, string(body))
	s.mu.Lock()
	s.asked = append(s.asked, q)
	handlers := s.handlers
	s.mu.Unlock()
	for _, h := range handlers {
		if h(w, q) {
			return
		}
	}
	s.Answer(w, q)
}

// requestOf parses /api/v1/namespaces/NS/RESOURCE/NAME/SUBRESOURCE, where all but the
// version and the resource are optional.
func requestOf(r *http.Request, body string) Request {
	q := Request{Path: r.URL.Path, Query: r.URL.Query(), Body: body, whole: r}
	words := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if words[0] == "apis" && len(words) > 1 {
		words = words[1:]
	}
	words = words[min(2, len(words)):]
	if len(words) > 2 && words[0] == "namespaces" {
		words = words[2:]
	}
	for i, into := range []*string{&q.Resource, &q.Name, &q.Subresource} {
		if i < len(words) {
			*into = words[i]
		}
	}
	q.Verb = map[string]string{http.MethodGet: "get", http.MethodPost: "create", http.MethodPatch: "patch", http.MethodDelete: "delete"}[r.Method]
	if q.Verb == "get" && q.Name == "" {
		q.Verb = "list"
	}
	if q.Query.Get("watch") == "true" {
		q.Verb = "watch"
	}
	return q
}

// Answer serves a request as if there were no handlers.
func (s *Server) Answer(w http.ResponseWriter, r Request) {
	if r.Verb == "watch" {
		s.watch(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	object := s.objects[r.Path]
	if r.Name != "" && object == nil {
		Refuse(w, apierrors.NewNotFound(schema.GroupResource{Resource: r.Resource}, r.Name))
		return
	}
	switch r.Verb {
	case "list":
		s.list(w, r)
		return
	case "create":
		object = new(unstructured.Unstructured)
		// The kind is optional: the path implies it.
		if err := json.Unmarshal([]byte(r.Body), &object.Object); err != nil {
			Refuse(w, apierrors.NewBadRequest(err.Error()))
			return
		}
		s.keep(path.Join(r.Path, object.GetName()), object)
	case "patch":
		changed, err := patched(object, r)
		if err != nil {
			Refuse(w, err)
			return
		}
		object = changed
		s.keep(r.Path, object)
	case "delete":
		s.drop(r.Path)
	}
	write(w, http.StatusOK, object.Object)
}

func (s *Server) list(w http.ResponseWriter, r Request) {
	items := []any{}
	for _, at := range slices.Sorted(maps.Keys(s.objects)) {
		if r.selects(at, s.objects[at]) {
			items = append(items, s.objects[at].Object)
		}
	}
	write(w, http.StatusOK, map[string]any{"metadata": map[string]any{"resourceVersion": strconv.Itoa(s.version)}, "items": items})
}

// selects reports whether a list or watch includes an object.
func (r Request) selects(at string, o *unstructured.Unstructured) bool {
	if path.Dir(at) != r.Path && !r.everywhere(at) {
		return false
	}
	label, err := labels.Parse(r.Query.Get("labelSelector"))
	if err != nil {
		return false
	}
	field, err := fields.ParseSelector(r.Query.Get("fieldSelector"))
	if err != nil {
		return false
	}
	kind, _, _ := unstructured.NestedString(o.Object, "type") // of an event
	return label.Matches(labels.Set(o.GetLabels())) && field.Matches(fields.Set{"metadata.name": o.GetName(), "metadata.namespace": o.GetNamespace(), "type": kind})
}

// everywhere reports whether r asks for all namespaces, and at is in one.
func (r Request) everywhere(at string) bool {
	root, resource := path.Split(r.Path)
	below, is := strings.CutPrefix(path.Dir(at), root+"namespaces/")
	return is && path.Base(below) == resource && strings.Count(below, "/") == 1
}

// patched returns an object with a merge patch applied. A patch that names a version
// is rejected if the object has a different one.
func patched(object *unstructured.Unstructured, r Request) (*unstructured.Unstructured, error) {
	if kind := r.whole.Header.Get("Content-Type"); kind != "application/merge-patch+json" {
		return nil, apierrors.NewBadRequest("no such patch: " + kind)
	}
	var change map[string]any
	if err := json.Unmarshal([]byte(r.Body), &change); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	was, _, _ := unstructured.NestedString(change, "metadata", "resourceVersion")
	if was != "" && was != object.GetResourceVersion() {
		return nil, apierrors.NewConflict(schema.GroupResource{Resource: r.Resource}, r.Name, fmt.Errorf("it is at version %s", object.GetResourceVersion()))
	}
	o := object.DeepCopy()
	merge(o.Object, change)
	return o, nil
}

// merge applies RFC 7396.
func merge(into, change map[string]any) {
	for key, value := range change {
		inner, isObject := value.(map[string]any)
		switch {
		case value == nil:
			delete(into, key)
		case isObject:
			there, is := into[key].(map[string]any)
			if !is {
				there = map[string]any{}
				into[key] = there
			}
			merge(there, inner)
		default:
			into[key] = value
		}
	}
}

// watch streams the events since the requested version until the client disconnects.
func (s *Server) watch(w http.ResponseWriter, r Request) {
	since, _ := strconv.Atoi(r.Query.Get("resourceVersion"))
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	for told := 0; ; {
		s.mu.Lock()
		events, happened := s.events[told:], s.happened
		told = len(s.events)
		s.mu.Unlock()
		for _, e := range events {
			if e.version > since && r.selects(e.path, e.object) {
				_ = json.NewEncoder(w).Encode(map[string]any{"type": e.kind, "object": e.object.Object})
			}
		}
		_ = http.NewResponseController(w).Flush()
		select {
		case <-happened:
		case <-r.whole.Context().Done():
			return
		}
	}
}

func write(w http.ResponseWriter, code int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}
