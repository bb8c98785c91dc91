package shell

// Sbin returns a command that runs argv even if it is in an administrator's
// directory that an ordinary user's PATH lacks.
func Sbin(argv ...string) []string {
	const run = `PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin; export PATH; exec "$@"`
	return append([]string{"sh", "-c", run, "sh"}, argv...)
}
