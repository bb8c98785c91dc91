package api

import (
	"context"
	"net/url"
	"sync"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
)

// Client is a client of one API server.
type Client struct {
	rest rest.Interface
}

// New returns a client for the server in config, with its credentials. It does
// not contact the server.
func New(config *rest.Config) (*Client, error) {
	config = rest.CopyConfig(config)
	config.GroupVersion = &corev1.SchemeGroupVersion
	config.AcceptContentTypes, config.ContentType = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	config.NegotiatedSerializer = errorsOnly()
	r, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, err
	}
	return &Client{rest: r}, nil
}

// errorsOnly decodes the server's response to a failed request. Objects are
// plain JSON and need no scheme.
var errorsOnly = sync.OnceValue(func() runtime.NegotiatedSerializer {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, corev1.SchemeGroupVersion)
	return serializer.NewCodecFactory(scheme).WithoutConversion()
})

// Events returns the events about objects of a namespace.
func (c *Client) Events(namespace string) Resource[corev1.Event] {
	return At[corev1.Event](c, corev1.SchemeGroupVersion.WithResource("events")).In(namespace)
}

// Jobs returns the jobs of a namespace.
func (c *Client) Jobs(namespace string) Resource[batchv1.Job] {
	return At[batchv1.Job](c, batchv1.SchemeGroupVersion.WithResource("jobs")).In(namespace)
}

// Namespaces returns all namespaces.
func (c *Client) Namespaces() Resource[corev1.Namespace] {
	return At[corev1.Namespace](c, corev1.SchemeGroupVersion.WithResource("namespaces"))
}

// NodeStats returns the latest measurements of a node's kubelet: the summary of its pods
// and their volumes.
func (c *Client) NodeStats(ctx context.Context, node string) ([]byte, error) {
	return raw(ctx, c.Nodes().request("GET").Name(node).SubResource("proxy").Suffix("stats/summary"))
}

// Nodes returns the cluster's nodes.
func (c *Client) Nodes() Resource[corev1.Node] {
	return At[corev1.Node](c, corev1.SchemeGroupVersion.WithResource("nodes"))
}

// PersistentVolumeClaims returns the claims of a namespace.
func (c *Client) PersistentVolumeClaims(namespace string) Resource[corev1.PersistentVolumeClaim] {
	return At[corev1.PersistentVolumeClaim](c, corev1.SchemeGroupVersion.WithResource("persistentvolumeclaims")).In(namespace)
}

// PersistentVolumes returns the cluster's volumes.
func (c *Client) PersistentVolumes() Resource[corev1.PersistentVolume] {
	return At[corev1.PersistentVolume](c, corev1.SchemeGroupVersion.WithResource("persistentvolumes"))
}

// Pods returns the pods of a namespace.
func (c *Client) Pods(namespace string) Resource[corev1.Pod] {
	return At[corev1.Pod](c, corev1.SchemeGroupVersion.WithResource("pods")).In(namespace)
}

// Secrets returns the secrets of a namespace.
func (c *Client) Secrets(namespace string) Resource[corev1.Secret] {
	return At[corev1.Secret](c, corev1.SchemeGroupVersion.WithResource("secrets")).In(namespace)
}

// SelfSubjectAccessReviews answer, when created, whether the user may do something.
func (c *Client) SelfSubjectAccessReviews() Resource[authorizationv1.SelfSubjectAccessReview] {
	return At[authorizationv1.SelfSubjectAccessReview](c, authorizationv1.SchemeGroupVersion.WithResource("selfsubjectaccessreviews"))
}

// SelfSubjectReviews answer, when created, who the user is.
func (c *Client) SelfSubjectReviews() Resource[authenticationv1.SelfSubjectReview] {
	return At[authenticationv1.SelfSubjectReview](c, authenticationv1.SchemeGroupVersion.WithResource("selfsubjectreviews"))
}

// ServiceAccounts returns the service accounts of a namespace.
func (c *Client) ServiceAccounts(namespace string) Resource[corev1.ServiceAccount] {
	return At[corev1.ServiceAccount](c, corev1.SchemeGroupVersion.WithResource("serviceaccounts")).In(namespace)
}

// StorageClasses returns the cluster's storage classes.
func (c *Client) StorageClasses() Resource[storagev1.StorageClass] {
	return At[storagev1.StorageClass](c, storagev1.SchemeGroupVersion.WithResource("storageclasses"))
}

// Exec returns the URL for starting a command in a pod.
func (c *Client) Exec(namespace, pod string, o *corev1.PodExecOptions) *url.URL {
	return with(c.Pods(namespace).request("POST").Name(pod).SubResource("exec"), o).URL()
}

// Log returns what a container of a pod printed.
func (c *Client) Log(ctx context.Context, namespace, pod string, o *corev1.PodLogOptions) ([]byte, error) {
	return raw(ctx, with(c.Pods(namespace).request("GET").Name(pod).SubResource("log"), o))
}
