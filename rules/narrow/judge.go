package narrow

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxVisits bounds how many schemas are held against values for one verdict. Branches that
// refer to one another can double them with each step.
const maxVisits = 1_000_000

// ErrUndecided is that a schema has no verdict on a value: it takes too long to come to,
// its references lead back to themselves, or it is about numbers that cannot be held.
var ErrUndecided = errors.New("cannot be told")

// errVisits ends a verdict that takes too long. It is also ErrUndecided.
var errVisits = fmt.Errorf("%w within %d steps", ErrUndecided, maxVisits)

// A Judge holds values against a schema. Its methods may be called at the same time.
type Judge struct {
	schema *jsonschema.Schema
	mu     sync.Mutex // one verdict at a time
	visits visits
}

// visits is a keyword of every schema that counts them. The library has no other way to
// be stopped.
type visits struct{ left int }

// Validate implements jsonschema.SchemaExt.
func (v *visits) Validate(*jsonschema.ValidatorContext, any) {
	if v.left--; v.left < 0 {
		panic(errVisits)
	}
}

// NewJudge prepares a schema. What it refers to elsewhere is never fetched: then there is
// an error, as where it is no JSON Schema.
func NewJudge(schema map[string]any) (*Judge, error) {
	if !countable(schema) {
		return nil, fmt.Errorf("not a JSON Schema to judge with: %w", ErrUndecided)
	}
	j := &Judge{}
	c := jsonschema.NewCompiler()
	c.UseLoader(nowhere{})
	c.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) {
		if re, err := regexp.Compile(pattern); err == nil {
			return re, nil
		}
		return anything(pattern), nil // one of ECMAScript that Go has not
	})
	c.RegisterVocabulary(&jsonschema.Vocabulary{
		URL:     "urn:gete:visits",
		Compile: func(*jsonschema.CompilerContext, map[string]any) (jsonschema.SchemaExt, error) { return &j.visits, nil },
	})
	c.AssertVocabs()
	const name = "tool:inputSchema"
	if err := c.AddResource(name, schema); err != nil {
		return nil, fmt.Errorf("not a JSON Schema: %w", err)
	}
	var err error
	if j.schema, err = c.Compile(name); err != nil {
		return nil, fmt.Errorf("not a JSON Schema: %w", err)
	}
	return j, nil
}

// Validate holds a value against the schema. The error is a *jsonschema.ValidationError, or
// ErrUndecided.
func (j *Judge) Validate(value any) (err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.visits.left = maxVisits
	defer func() {
		// The library panics on some numbers that JSON allows and it cannot hold.
		if r := recover(); r != nil {
			err = ErrUndecided
			if ours, ok := r.(error); ok && errors.Is(ours, errVisits) {
				err = errVisits
			}
		}
	}()
	err = j.schema.Validate(value)
	var refused *jsonschema.ValidationError
	if errors.As(err, &refused) && cyclic(refused) {
		return ErrUndecided
	}
	return err
}

// Refuses says why the schema refuses arguments, as in "`limit`: got string, want
// integer"; "" where it takes them, or says nothing of them. The reason may quote what was
// written. Arguments that are made to take long to judge are refused. A nil judge takes
// everything.
func (j *Judge) Refuses(arguments map[string]any) string {
	if j == nil {
		return ""
	}
	err := j.Validate(arguments)
	var refused *jsonschema.ValidationError
	switch {
	case errors.Is(err, errVisits):
		return "whether they are right " + err.Error()
	case !errors.As(err, &refused):
		return ""
	}
	at, why := reason(refused)
	if len(at) > 0 {
		return "`" + strings.Join(at, ".") + "`: " + why
	}
	return why
}

type nowhere struct{}

func (nowhere) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s lies elsewhere", url)
}

// anything is a pattern that is taken to match.
type anything string

func (anything) MatchString(string) bool { return true }
func (a anything) String() string        { return string(a) }
