package report

import (
	"encoding/xml"
	"fmt"

	"github.com/gete-lint/gete/rules"
)

// The elements of a JUnit report, as the schema of Jenkins' xunit plugin has them:
// https://github.com/jenkinsci/xunit-plugin, junit-10.xsd.
type (
	junitReport struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"` // seconds
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitFailure `xml:"failure"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a test suite for each file with findings, and in it a test case
// for each finding. Errors are failures; a warning and a piece of advice are what a
// test case that passes has to say, since gete passes with them as well.
func writeJUnit(r *report) error {
	out := junitReport{Name: "gete", Time: fmt.Sprintf("%.3f", r.result.Elapsed.Seconds())}
	for i, d := range r.shown {
		if i == 0 || r.shown[i-1].File.Path != d.File.Path {
			out.Suites = append(out.Suites, junitSuite{Name: oneLine(d.File.Path)})
		}
		suite := &out.Suites[len(out.Suites)-1]
		c := junitCase{
			Name:  fmt.Sprintf("%s at %d:%d", d.Rule, d.Span.Start.Line, d.Span.Start.Column),
			Class: suite.Name,
		}
		text := position(d.File.Path, d.Span.Start) + ": " + d.Severity.String() + ": " + oneLine(d.Message) + "\n"
		if d.Help != "" {
			text += "help: " + oneLine(d.Help) + "\n"
		}
		text += rules.PageURL(d.Rule) + "\n"
		if d.Severity == rules.Error {
			c.Failure = &junitFailure{oneLine(d.Message), d.Rule, text}
			suite.Failures++
			out.Failures++
		} else {
			c.Output = text
		}
		suite.Cases = append(suite.Cases, c)
		suite.Tests++
		out.Tests++
	}
	if out.Suites == nil {
		// Some readers take a report without a test for a run that went wrong.
		out.Tests = 1
		out.Suites = []junitSuite{{Name: "gete", Tests: 1, Cases: []junitCase{{Name: "no problems found", Class: "gete"}}}}
	}
	fmt.Fprint(r, xml.Header)
	encoder := xml.NewEncoder(r)
	encoder.Indent("", "  ")
	if err := encoder.Encode(out); err != nil {
		return err
	}
	return r.WriteByte('\n')
}
