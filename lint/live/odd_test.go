package live

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestOddAnswers asks servers that answer the question, but in a way that cannot be
// taken for an answer, or too late.
func TestOddAnswers(t *testing.T) {
	sound := result(`{"tools":[]}`)
	// changed is the sound server with something else in each answer.
	changed := func(pattern, with string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			recorded := httptest.NewRecorder()
			sound(recorded, r)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(recorded.Code)
			_, _ = w.Write(regexp.MustCompile(pattern).ReplaceAll(recorded.Body.Bytes(), []byte(with)))
		}
	}
	for _, c := range []struct {
		name string
		h    http.HandlerFunc
		want string
	}{
		{"id as a string", changed(`"id":(\d+)`, `"id":"$1"`), "did not answer within 1.5s"},
		{"id 0", changed(`"id":\d+`, `"id":0`), "did not answer within 1.5s"},
		{"no id", changed(`"id":\d+,`, ``), "did not answer as MCP has it"},
		{"version refused", changed(`2025-06-18`, `1999-01-01`), `did not answer as MCP has it: unsupported protocol version: "1999-01-01"`},
		{"no version", changed(`"protocolVersion":"2025-06-18",`, ``), "did not answer as MCP has it: unsupported protocol version"},
		{"another JSON-RPC", changed(`"jsonrpc":"2.0"`, `"jsonrpc":"1.0"`), "did not answer as MCP has it"},
		{"result null", changed(`"result":\{.*\}\}`, `"result":null}`), "did not answer as MCP has it"},
		{"a batch", changed(`^(.+)$`, `[$1]`), "did not answer as MCP has it"},
		{"half an answer", changed(`.{5}$`, ``), "did not answer as MCP has it"},
		{"too late", func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(1700 * time.Millisecond)
			sound(w, r)
		}, "did not answer within 1.5s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			late := target(serve(t, c.h))
			late.Timeout = 1500 * time.Millisecond
			if e := refused(t, late); !strings.HasPrefix(e.Message, c.want) {
				t.Errorf("got  %q\nwant %q", e.Message, c.want)
			}
		})
	}
}
