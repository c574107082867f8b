package proxy

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Path is where the proxy is found over HTTP.
const Path = "/mcp"

const (
	maxBody = maxArguments + 1<<20 // of a request, in bytes

	headerWait = 10 * time.Second // for the headers of a request
	idle       = 24 * time.Hour   // until a session that nobody speaks on is forgotten
	farewell   = time.Second      // for requests that are under way when the proxy ends
)

// ServeHTTP serves clients over Streamable HTTP at Path until ctx ends. On a listener of
// this machine alone it answers only requests for this machine's own names, so that no
// page of a browser can reach it by a name of its own. Where token is not empty, each
// request must carry it as a bearer token.
func (p *Proxy) ServeHTTP(ctx context.Context, listener net.Listener, token string) error {
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return p.server }, &mcp.StreamableHTTPOptions{
		Logger:                       slog.New(slog.DiscardHandler),
		MaxRequestBodyBytes:          maxBody,
		SessionTimeout:               idle,
		PropagateRequestCancellation: true,
	})
	mux := http.NewServeMux()
	mux.Handle(Path, p.running.cancelOnDelete(handler))
	var guarded http.Handler = mux
	if token != "" {
		guarded = auth.RequireBearerToken(verifier(token), nil)(guarded)
	}
	guarded = checkOrigin(guarded)
	if Loopback(listener.Addr().String()) {
		guarded = checkHost(guarded)
	}
	server := &http.Server{
		Handler: guarded, ReadHeaderTimeout: headerWait, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
		defer cancel()
		if server.Shutdown(within) != nil {
			_ = server.Close() // streams stay open for as long as they are let
		}
	})
	err := server.Serve(listener)
	if !stop() {
		<-stopped
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Loopback says whether a host, or a host and port, is this machine's own.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// checkHost refuses requests for another name than this machine's own, which a browser
// sends whose name server was made to lie (MCP specification 2025-11-25, transports,
// "Security Warning").
func checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !Loopback(r.Host) {
			http.Error(w, fmt.Sprintf("the Host %q is not this machine's own", r.Host), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// checkOrigin refuses requests that come from pages of other machines.
func checkOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" {
			if u, err := url.Parse(origin); err != nil || !Loopback(u.Hostname()) {
				http.Error(w, fmt.Sprintf("the Origin %q may not call tools", origin), http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// verifier takes one token, in a time that says nothing of it.
func verifier(token string) auth.TokenVerifier {
	want := sha256.Sum256([]byte(token))
	return func(_ context.Context, given string, _ *http.Request) (*auth.TokenInfo, error) {
		got := sha256.Sum256([]byte(given))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: "bearer", Expiration: time.Now().Add(idle)}, nil
	}
}
