// Package markdown writes a Document as GitHub-flavoured Markdown, to paste
// into a blog post, an issue or a wiki.
//
// It never writes HTML beyond entities, and no name from the machine can become
// markup.
package markdown
