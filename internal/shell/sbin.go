package shell

// Sbin returns the command that runs argv also where it lies in a directory for the
// administrator's programs, to which an ordinary user's PATH may not lead.
func Sbin(argv ...string) []string {
	const run = `PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin; export PATH; exec "$@"`
	return append([]string{"sh", "-c", run, "sh"}, argv...)
}
