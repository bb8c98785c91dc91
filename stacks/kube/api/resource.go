package api

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion/queryparams"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// Resource is a kind of object, in one namespace or in all of them. T is the type
// for its JSON.
type Resource[T any] struct {
	rest      rest.Interface
	at        schema.GroupVersionResource
	namespace string
}

// List is a response with several objects.
type List[T any] struct {
	metav1.ListMeta `json:"metadata"`
	Items           []T `json:"items"`
}

// At returns a resource of any group, including those defined by a
// CustomResourceDefinition.
func At[T any](c *Client, resource schema.GroupVersionResource) Resource[T] {
	return Resource[T]{rest: c.rest, at: resource}
}

// In returns the resource limited to one namespace.
func (r Resource[T]) In(namespace string) Resource[T] {
	r.namespace = namespace
	return r
}

// Get returns the object of that name.
func (r Resource[T]) Get(ctx context.Context, name string) (*T, error) {
	return answer[T](ctx, r.request("GET").Name(name))
}

// List returns the objects that the options select.
func (r Resource[T]) List(ctx context.Context, o metav1.ListOptions) (*List[T], error) {
	return answer[List[T]](ctx, with(r.request("GET"), &o))
}

// Create creates an object and returns it as stored by the server.
func (r Resource[T]) Create(ctx context.Context, object *T) (*T, error) {
	return answer[T](ctx, body(r.request("POST"), runtime.ContentTypeJSON, object))
}

// Patch applies a JSON merge patch to an object.
func (r Resource[T]) Patch(ctx context.Context, name string, change any) (*T, error) {
	return answer[T](ctx, body(r.request("PATCH").Name(name), string(types.MergePatchType), change))
}

// Delete deletes an object; it may still exist when Delete returns.
func (r Resource[T]) Delete(ctx context.Context, name string, o metav1.DeleteOptions) error {
	o.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"}
	return body(r.request("DELETE").Name(name), runtime.ContentTypeJSON, o).Do(ctx).Error()
}

// Watch yields the names of the selected objects as they are created, changed or
// deleted after o.ResourceVersion. It ends without an error when the server ends it,
// or when ctx ends. An error is the last thing it yields.
func (r Resource[T]) Watch(ctx context.Context, o metav1.ListOptions) iter.Seq2[string, error] {
	o.Watch = true
	return func(yield func(string, error) bool) {
		stream, err := with(r.request("GET"), &o).Stream(ctx)
		if err != nil {
			yield("", err)
			return
		}
		defer func() { _ = stream.Close() }()
		for events := json.NewDecoder(stream); ; {
			var event struct {
				Type   string
				Object json.RawMessage
			}
			if err := events.Decode(&event); err != nil {
				return // cut off, or ended
			}
			name, err := changed(event.Type, event.Object)
			if !yield(name, err) || err != nil {
				return
			}
		}
	}
}

// changed returns the name of an event's object.
func changed(event string, object []byte) (string, error) {
	if event == "ERROR" {
		failure := new(apierrors.StatusError)
		if err := json.Unmarshal(object, &failure.ErrStatus); err != nil {
			return "", fmt.Errorf("read an error of the API server: %w", err)
		}
		return "", failure
	}
	var about struct{ Metadata struct{ Name string } }
	if err := json.Unmarshal(object, &about); err != nil {
		return "", fmt.Errorf("read an event of the API server: %w", err)
	}
	return about.Metadata.Name, nil
}

// request starts a request for the resource.
func (r Resource[T]) request(verb string) *rest.Request {
	path := []string{"/apis", r.at.Group, r.at.Version}
	if r.at.Group == "" {
		path = []string{"/api", r.at.Version}
	}
	return r.rest.Verb(verb).AbsPath(path...).NamespaceIfScoped(r.namespace, r.namespace != "").Resource(r.at.Resource)
}

// with adds options (pointers to structs) to the query.
func with(request *rest.Request, options any) *rest.Request {
	query, err := queryparams.Convert(options)
	if err != nil {
		panic(err) // a programming error: options are pointers to structs of the API
	}
	for key, values := range query {
		for _, v := range values {
			request.Param(key, v)
		}
	}
	return request
}

func body(request *rest.Request, contentType string, object any) *rest.Request {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err) // a programming error: every API type can be written as JSON
	}
	return request.SetHeader("Content-Type", contentType).Body(text)
}

// answer sends a request and decodes the response.
func answer[T any](ctx context.Context, request *rest.Request) (*T, error) {
	text, err := raw(ctx, request)
	if err != nil {
		return nil, err
	}
	object := new(T)
	if err := json.Unmarshal(text, object); err != nil {
		return nil, fmt.Errorf("read an answer of the API server: %w", err)
	}
	return object, nil
}

func raw(ctx context.Context, request *rest.Request) ([]byte, error) {
	result := request.Do(ctx)
	if err := result.Error(); err != nil { // Raw's own error lacks the server's message
		return nil, err
	}
	return result.Raw()
}
