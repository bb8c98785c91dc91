// Package marked writes what a program measured into a document that people
// wrote: between two marks, which are comments of HTML.
package marked
