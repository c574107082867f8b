package narrow_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gete-lint/gete/rules/narrow"
)

func TestPage(t *testing.T) {
	for _, c := range []struct{ name, raw, tools, next string }{
		{"whole", `{"tools":[{"name":"a","description":"d","inputSchema":{"type":"object"},"annotations":{}}]}`,
			`a|d|{"type":"object"}|{}`, ""},
		{"schema of null", `{"tools":[{"name":"a","inputSchema":null}]}`, `a||null|`, ""},
		{"hint as text", `{"tools":[{"name":"a","annotations":{"readOnlyHint":"true"}}]}`,
			`a|||{"readOnlyHint":"true"}`, ""},
		{"digits", `{"tools":[{"name":"a","inputSchema":{"maximum":9007199254740993.10}}]}`,
			`a||{"maximum":9007199254740993.10}|`, ""},
		{"same name twice", `{"tools":[{"name":"a"},{"name":"a","description":"2"}]}`, `a|||;a|2||`, ""},
		{"odd names", `{"tools":[{"name":""},{"name":"a b/ü\n"}]}`, "a b/ü\n|||", ""},
		{"other case", `{"tools":[{"Name":"A","name":"a","Description":"no"}]}`, `a|||`, ""},
		{"odd entries", `{"tools":[1,null,[],{"name":null},{"name":7},{},{"name":"a","description":{}}]}`, `a|||`, ""},
		{"nested too deep", `{"tools":[{"name":"a","inputSchema":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `},{"name":"b","inputSchema":{}}]}`, `a|||;b||{}|`, ""},
		{"null tools", `{"tools":null}`, ``, ""},
		{"cursor", `{"tools":[],"nextCursor":"x"}`, ``, "x"},
		{"cursor of null", `{"tools":[],"nextCursor":null}`, ``, ""},
		{"cursor as a number", `{"tools":[],"nextCursor":12345678901234567890}`, ``, "12345678901234567890"},
		{"cursor as an object", `{"tools":[],"nextCursor":{}}`, ``, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tools, next, err := narrow.Page(json.RawMessage(c.raw))
			var got []string
			for _, tool := range tools {
				got = append(got, fmt.Sprintf("%s|%s|%s|%s", tool.Name, tool.Description, tool.InputSchema, tool.Annotations))
			}
			if strings.Join(got, ";") != c.tools || next != c.next || err != nil {
				t.Errorf("got %q, %q, %v", got, next, err)
			}
		})
	}
}

func TestPageErrors(t *testing.T) {
	for raw, want := range map[string]string{
		`null`:         "is no JSON object",
		``:             "is no JSON object",
		`[]`:           "is no JSON object",
		`{}`:           "has no tools",
		`{"tools":{}}`: "has tools that are no array",
	} {
		if _, _, err := narrow.Page(json.RawMessage(raw)); err == nil || err.Error() != want {
			t.Errorf("%.40s: got %v, want %s", raw, err, want)
		}
	}
}

func FuzzPage(f *testing.F) {
	f.Add([]byte(`{"tools":[{"name":"a","inputSchema":{}}],"nextCursor":"x"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tools, _, _ := narrow.Page(raw)
		for _, tool := range tools {
			if tool.InputSchema != nil && !json.Valid(tool.InputSchema) {
				t.Errorf("not JSON: %q", tool.InputSchema)
			}
		}
	})
}
