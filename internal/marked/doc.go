// Package marked writes what a program measured into a document written by
// people, between two marks that are HTML comments.
package marked
