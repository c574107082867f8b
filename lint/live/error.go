package live

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// An Error is why a server could not be listed.
type Error struct {
	// Message is one phrase on one line that has the server for its subject, as in
	// "refused the connection". It shows no header that was sent.
	Message      string
	Unauthorized bool // the server answered 401 or 403
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// rejected is what the SDK says of a request that came to nothing on a connection that it
// goes on with. It does not export it.
var rejected = &jsonrpc.Error{Code: -32005}

// maxMessage bounds a message, and maxQuote what it quotes of a server; in runes.
const (
	maxMessage = 300
	maxQuote   = 160
)

// A failure is an error together with what was seen of the server.
type failure struct {
	exchange
	err     error
	readErr error
	endErr  error
	tooBig  bool
	command bool
	stderr  string
}

// Error implements error.
func (f *failure) Error() string { return f.err.Error() }

// Unwrap gives the error itself.
func (f *failure) Unwrap() error { return f.err }

func (s *seen) failure(err error) *failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &failure{exchange: s.last, err: err, readErr: s.readErr, endErr: s.endErr, tooBig: s.tooBig}
	if s.stderr != nil {
		f.command, f.stderr = true, s.stderr.String()
	}
	return f
}

func unauthorized(err error) bool {
	var f *failure
	return errors.As(err, &f) && (f.status == http.StatusUnauthorized || f.status == http.StatusForbidden)
}

// final says whether another attempt would come to nothing.
func final(ctx context.Context, err error) bool {
	var f *failure
	if ctx.Err() != nil || unauthorized(err) || !errors.As(err, &f) {
		return true
	}
	// Where it was the attempt that ran out of time, nothing of this is set.
	var own *plainError
	return f.tooBig || longEvent(err) || errors.As(err, &own) || f.command && f.readErr != nil ||
		transportPhrase(f.fault) != ""
}

// explain makes an error fit to be shown.
func (t Target) explain(ctx context.Context, err error) *Error {
	return &Error{Message: t.clean(t.phrase(ctx, err)), Unauthorized: unauthorized(err)}
}

// phrase says what is wrong, the plainest reason first.
func (t Target) phrase(ctx context.Context, err error) string {
	f := &failure{err: err}
	errors.As(err, &f)
	var own *plainError
	var refusal *jsonrpc.Error
	switch {
	case errors.As(err, &own):
		return own.message
	case f.tooBig:
		return errTooBig.Error()
	case unauthorized(err) && f.challenge != "":
		return fmt.Sprintf("answered %d, and wants `%s`", f.status, t.quote(f.challenge))
	case unauthorized(err):
		return fmt.Sprintf("answered %d", f.status)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Sprintf("did not answer within %s", t.Timeout.Round(time.Millisecond))
	case ctx.Err() != nil:
		return "was not waited for"
	case f.command:
		return t.commandPhrase(f)
	case f.fault != nil:
		return cmp.Or(transportPhrase(f.fault), fmt.Sprintf("broke off the connection: %v", inner(f.fault)))
	case f.status >= 300 && errors.As(err, &refusal) && !refusal.Is(rejected):
		return fmt.Sprintf("answered %d: %s", f.status, t.quote(refusal.Message))
	case f.status >= 300:
		return fmt.Sprintf("answered %d", f.status)
	case errors.As(err, &refusal):
		return t.refusalPhrase(refusal)
	case longEvent(err):
		return "sent an event over the limit of 16 MiB"
	case f.status == 0 || f.media == "application/json" || f.media == "text/event-stream":
		return fmt.Sprintf("did not answer as MCP has it: %v", inner(err))
	case f.media == "":
		return "answered without a content type, which is not MCP"
	}
	return fmt.Sprintf("answered with %s, which is not MCP", f.media)
}

// longEvent knows an error of the SDK that has no type.
func longEvent(err error) bool { return strings.Contains(err.Error(), "SSE event exceeded") }

// commandPhrase says what is wrong with a server that is a command.
func (t Target) commandPhrase(f *failure) string {
	var refusal *jsonrpc.Error
	var syntax *json.SyntaxError
	said := ""
	if f.stderr != "" {
		said = ": " + t.quote(f.stderr)
	}
	switch {
	case errors.As(f.err, &refusal):
		return t.refusalPhrase(refusal)
	case f.readErr != nil && strings.Contains(f.readErr.Error(), "maximum line length"):
		return "sent a line over the limit of 16 MiB"
	case errors.As(f.readErr, &syntax):
		return fmt.Sprintf("wrote text to its standard output that is not MCP (%v)", syntax)
	case f.readErr != nil:
		return fmt.Sprintf("wrote what is not MCP to its standard output: %v", f.readErr)
	}
	var exit *exec.ExitError
	if errors.As(f.endErr, &exit) && exit.ExitCode() > 0 {
		return fmt.Sprintf("ended with exit status %d before it answered%s", exit.ExitCode(), said)
	}
	return "ended before it answered" + said
}

func (t Target) refusalPhrase(e *jsonrpc.Error) string {
	return fmt.Sprintf("answered with error %d: %s", e.Code, t.quote(e.Message))
}

// transportPhrase says why a request had no answer, if that is for a reason that
// stands between any client and the server.
func transportPhrase(err error) string {
	if err == nil {
		return ""
	}
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var dns *net.DNSError
	var dial *net.OpError
	switch err = inner(err); {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused the connection"
	case errors.As(err, &certificate), errors.As(err, &authority), errors.As(err, &record),
		errors.As(err, &alert), errors.Is(err, http.ErrSchemeMismatch), strings.Contains(err.Error(), "tls: "):
		return fmt.Sprintf("TLS: %s", strings.TrimPrefix(err.Error(), "tls: "))
	case errors.As(err, &dns):
		return fmt.Sprintf("has a host that cannot be resolved: %s", dns.Err)
	case errors.As(err, &dial) && dial.Op == "dial":
		return fmt.Sprintf("cannot be reached: %v", dial.Err)
	}
	return ""
}

// inner is the error without the address, path or command before it: an address
// may hold a secret, and the reader knows the others.
func inner(err error) error {
	var address *url.Error
	var path *fs.PathError
	var command *exec.Error
	switch {
	case errors.As(err, &address):
		return address.Err
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &command):
		return command.Err
	}
	return err
}
