package schema

import (
	"errors"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gete-lint/gete/schema/pyregex"
)

// formats are the shapes that a pattern of Go's regexp cannot say.
func formats() []*jsonschema.Format {
	text := func(name string, check func(string) error) *jsonschema.Format {
		return &jsonschema.Format{Name: name, Validate: func(v any) error {
			s, ok := v.(string)
			if !ok {
				return nil // another type is another keyword's to refuse
			}
			return check(s)
		}}
	}
	return []*jsonschema.Format{
		text("host-name", checkHostName),
		text("host-or-path", checkHostOrPath),
		text("rooted-url", checkRootedURL),
		text("date", checkDate),
		text("python-regex", func(s string) error {
			_, err := pyregex.Parse(s)
			return err
		}),
	}
}

var (
	hostLabel   = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	topLabel    = regexp.MustCompile(`^[a-z]{2,63}$`)
	pathSegment = regexp.MustCompile(`^[a-z0-9._~-]+$`)
	httpsURL    = regexp.MustCompile(ecmaSpace.Replace(`^https://[^/?#\s]+(?:[/?#]\S*)?$`))
)

// ecmaSpace makes \s in a class, and \S outside one, mean what they do in an ECMA
// regular expression (ECMA-262, section 22.2.2.9), which JSON Schema's are: in Go's
// they know only the spaces of ASCII.
var ecmaSpace = strings.NewReplacer(`\s`, `\s\v\p{Z}\x{feff}`, `\S`, `[^\s\v\p{Z}\x{feff}]`)

// compilePattern compiles a pattern of a schema.
func compilePattern(pattern string) (*regexp.Regexp, error) {
	return regexp.Compile(ecmaSpace.Replace(pattern))
}

// maxHostName is the length of the longest host name (RFC 1035, section 2.3.4,
// without the root label and the length octets).
const maxHostName = 253

func checkHostName(host string) error {
	labels := strings.Split(host, ".")
	switch {
	case strings.ContainsAny(host, ":/"):
		return errors.New("a host name has no scheme, port or path")
	case host != strings.ToLower(host):
		return errors.New("a host name is written in lower case")
	case len(labels) < 2:
		return errors.New("a host name has a dot")
	case len(host) > maxHostName:
		return errors.New("a host name has at most 253 characters")
	case !topLabel.MatchString(labels[len(labels)-1]):
		return errors.New("a host name ends in a label of 2 to 63 letters")
	}
	for _, label := range labels {
		if !hostLabel.MatchString(label) {
			return errors.New("each label of a host name has 1 to 63 letters, digits and inner dashes")
		}
	}
	return nil
}

func checkHostOrPath(entry string) error {
	host, path, hasPath := strings.Cut(entry, "/")
	if strings.Contains(entry, "://") {
		return errors.New("it takes no scheme")
	}
	if err := checkHostName(host); err != nil || !hasPath {
		return err
	}
	if path == "" {
		return errors.New("a path has at least one segment")
	}
	segments, ok := strings.CutSuffix(path, "/")
	if !ok {
		return errors.New("a path ends in a slash")
	}
	for _, segment := range strings.Split(segments, "/") {
		if segment == "." || segment == ".." || !pathSegment.MatchString(segment) {
			return errors.New("a path segment is neither . nor .., and has only lower-case letters, digits and . _ ~ -")
		}
	}
	return nil
}

const root = "{base_url}"

func checkRootedURL(url string) error {
	rest, rooted := strings.CutPrefix(url, root)
	if strings.Contains(rest, root) {
		return errors.New("{base_url} stands only at the front")
	}
	if !rooted {
		if !httpsURL.MatchString(url) {
			return errors.New("it begins with https:// or {base_url}")
		}
		return nil
	}
	if rest != "" && !strings.ContainsRune("/?#", rune(rest[0])) {
		return errors.New("behind {base_url} follows /, ? or #")
	}
	if strings.ContainsFunc(rest, unicode.IsSpace) {
		return errors.New("a URL has no spaces")
	}
	return nil
}

func checkDate(s string) error {
	_, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return errors.New("no such day")
	}
	return nil
}
