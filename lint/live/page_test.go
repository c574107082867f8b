package live

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestParsePage(t *testing.T) {
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
		{"null tools", `{"tools":null}`, ``, ""},
		{"cursor", `{"tools":[],"nextCursor":"x"}`, ``, "x"},
		{"cursor of null", `{"tools":[],"nextCursor":null}`, ``, ""},
		{"cursor as a number", `{"tools":[],"nextCursor":12345678901234567890}`, ``, "12345678901234567890"},
		{"cursor as an object", `{"tools":[],"nextCursor":{}}`, ``, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tools, next, err := ParsePage(json.RawMessage(c.raw))
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

func TestParsePageErrors(t *testing.T) {
	deep := `{"tools":[{"name":"a","inputSchema":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}]}`
	for raw, want := range map[string]string{
		`null`:         "it is not an object",
		``:             "it is not an object",
		`[]`:           "it is not an object",
		`{}`:           "it has no tools",
		`{"tools":{}}`: "its tools are not an array",
		deep:           "it nests deeper than 200 levels",
	} {
		if _, _, err := ParsePage(json.RawMessage(raw)); err == nil || err.Error() != want {
			t.Errorf("%.40s: got %v, want %s", raw, err, want)
		}
	}
}

func FuzzParsePage(f *testing.F) {
	f.Add([]byte(`{"tools":[{"name":"a","inputSchema":{}}],"nextCursor":"x"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tools, _, _ := ParsePage(raw)
		for _, tool := range tools {
			if tool.InputSchema != nil && !json.Valid(tool.InputSchema) {
				t.Errorf("not JSON: %q", tool.InputSchema)
			}
		}
	})
}
