package live

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const maxRedirects = 5

var (
	errTooBig = errors.New("gave an answer over the limit of 64 MiB")
	errCircle = plain("redirects in a circle")
	errFar    = plain("redirects more than %d times", maxRedirects)
)

// opener says how the target is spoken to.
func (t Target) opener() (opener, error) {
	if command, ok := strings.CutPrefix(t.URL, StdioScheme); ok {
		return commandOpener(command, t.Dir)
	}
	u, err := url.Parse(t.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, plain("is no address that starts with http://, https:// or stdio:")
	}
	return t.streamable, nil
}

func (t Target) streamable(ctx context.Context, s *seen) (mcp.Transport, error) {
	client, err := t.client(ctx, s)
	if err != nil {
		return nil, err
	}
	return &mcp.StreamableClientTransport{
		Endpoint:             t.URL,
		HTTPClient:           client,
		MaxRetries:           -1,
		DisableStandaloneSSE: true,
		MaxEventSize:         maxEvent,
	}, nil
}

func (t Target) sse(ctx context.Context, s *seen) (mcp.Transport, error) {
	client, err := t.client(ctx, s)
	if err != nil {
		return nil, err
	}
	return &mcp.SSEClientTransport{Endpoint: t.URL, HTTPClient: client, MaxEventSize: maxEvent}, nil
}

func (t Target) client(ctx context.Context, s *seen) (*http.Client, error) {
	target, err := url.Parse(t.URL)
	if err != nil {
		return nil, err
	}
	base := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	context.AfterFunc(ctx, base.CloseIdleConnections)
	return &http.Client{
		Transport:     &wire{base: base, ctx: ctx, seen: s, origin: origin(target), headers: t.Headers},
		CheckRedirect: checkRedirect,
	}, nil
}

func checkRedirect(req *http.Request, via []*http.Request) error {
	for _, earlier := range via {
		if earlier.URL.String() == req.URL.String() {
			return errCircle
		}
	}
	if len(via) > maxRedirects {
		return errFar
	}
	return nil
}

// origin is the scheme, host and port of an address.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// wire sends requests. It adds the headers here and not on the request, so that
// they go nowhere but to the origin they were meant for.
type wire struct {
	base    http.RoundTripper
	ctx     context.Context // ends every request, also those that the SDK detaches
	seen    *seen
	origin  string
	headers map[string]string
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	stop := context.AfterFunc(w.ctx, cancel)
	release := func() { stop(); cancel() }
	req = req.Clone(ctx)
	w.seen.mu.Lock()
	version := w.seen.version
	w.seen.mu.Unlock()
	// The SDK would add it itself, were the connection not wrapped.
	if version != "" && req.Header.Get("Mcp-Protocol-Version") == "" {
		req.Header.Set("Mcp-Protocol-Version", version)
	}
	req.Header.Del("Referer") // net/http would tell the address, and secrets in it
	if origin(req.URL) == w.origin {
		for name, value := range w.headers {
			req.Header.Set(name, value)
		}
	} else {
		req.Header.Del("Authorization") // it came from a user in the address
		req.Header.Del("Mcp-Session-Id")
	}
	resp, err := w.base.RoundTrip(req)
	w.note(req, resp, err)
	if err != nil {
		release()
		return nil, err
	}
	// A stream that is opened with a GET holds more than one answer.
	resp.Body = &body{ReadCloser: resp.Body, seen: w.seen, endless: req.Method == http.MethodGet, release: release}
	return resp, nil
}

// note keeps what came of a request. The one that ends a session tells nothing.
func (w *wire) note(req *http.Request, resp *http.Response, err error) {
	if req.Method == http.MethodDelete || w.ctx.Err() != nil {
		return
	}
	e := exchange{fault: err}
	if err == nil {
		e = exchange{status: resp.StatusCode, media: mediaType(resp), challenge: strings.Join(resp.Header.Values("WWW-Authenticate"), ", ")}
	}
	// Calls are made at the same time, so that each has its own.
	if a, ok := req.Context().Value(answerKey{}).(*answer); ok {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.exchange = e
		return
	}
	w.seen.mu.Lock()
	defer w.seen.mu.Unlock()
	w.seen.last = e
}

// mediaType is the media type of an answer; "" where it has none.
func mediaType(resp *http.Response) string {
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return media
}

// body is an answer of bounded length.
type body struct {
	io.ReadCloser
	seen    *seen
	read    int
	endless bool
	release func()
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.read += n; !b.endless && !b.seen.fits(b.read) {
		return 0, errTooBig
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	defer b.release()
	return b.ReadCloser.Close()
}
