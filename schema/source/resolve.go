package source

import "strings"

// resolve gives a plain scalar its kind by YAML 1.2's core schema (section
// 10.3.2).
func resolve(s string) Kind {
	if s == "" {
		return Null
	}
	switch c := s[0]; {
	case c == '~' || c == 'n' || c == 'N':
		if s == "~" || s == "null" || s == "Null" || s == "NULL" {
			return Null
		}
	case c == 't' || c == 'T' || c == 'f' || c == 'F':
		switch s {
		case "true", "True", "TRUE", "false", "False", "FALSE":
			return Bool
		}
	case c == '-' || c == '+' || c == '.' || isDigit(c):
		return resolveNumber(s)
	}
	return String
}

func resolveNumber(s string) Kind {
	if digits, ok := strings.CutPrefix(s, "0o"); ok && digits != "" && all(digits, isOctal) {
		return Int
	}
	if digits, ok := strings.CutPrefix(s, "0x"); ok && digits != "" && all(digits, isHex) {
		return Int
	}
	if s == ".nan" || s == ".NaN" || s == ".NAN" {
		return Float
	}
	rest := strings.TrimLeft(s[:1], "+-") + s[1:]
	switch rest {
	case ".inf", ".Inf", ".INF":
		return Float
	}
	whole := span(rest, isDigit)
	if whole > 0 && whole == len(rest) {
		return Int
	}
	rest = rest[whole:]
	if strings.HasPrefix(rest, ".") {
		fraction := span(rest[1:], isDigit)
		if whole == 0 && fraction == 0 {
			return String
		}
		rest = rest[1+fraction:]
	} else if whole == 0 {
		return String
	}
	if rest == "" {
		return Float
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return String
	}
	rest = rest[1:]
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		rest = rest[1:]
	}
	if rest != "" && all(rest, isDigit) {
		return Float
	}
	return String
}

// YAML11 says what a YAML 1.1 reader takes a plain scalar for that is a string
// under YAML 1.2: a boolean, a sexagesimal number, or a default value mark
// (yaml.org/type, in the spellings that PyYAML resolves). It is empty for all
// else, dates included.
func (n *Node) YAML11() string {
	if n.Kind != String || n.Style != Plain {
		return ""
	}
	switch n.Value {
	case "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF":
		return "a boolean"
	case "=":
		return "a default value mark"
	}
	return sexagesimal(n.Value)
}

// sexagesimal recognizes the numbers of YAML 1.1 with a base of 60, such as
// 12:30:45.
func sexagesimal(s string) string {
	s = strings.TrimLeft(s[:min(1, len(s))], "+-") + s[min(1, len(s)):]
	if s == "" || !isDigit(s[0]) {
		return ""
	}
	digitOrUnderscore := func(c byte) bool { return isDigit(c) || c == '_' }
	whole, rest, ok := strings.Cut(s, ":")
	if !ok {
		return ""
	}
	rest, fraction, float := strings.Cut(rest, ".")
	// An integer may not begin with 0; a float may.
	if !all(whole, digitOrUnderscore) || !float && whole[0] == '0' || !all(fraction, digitOrUnderscore) {
		return ""
	}
	for _, part := range strings.Split(rest, ":") {
		tens := len(part) == 2 && part[0] <= '5'
		if part == "" || !all(part, isDigit) || len(part) != 1 && !tens {
			return ""
		}
	}
	return "a sexagesimal number"
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isOctal(c byte) bool { return c >= '0' && c <= '7' }
func isHex(c byte) bool   { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// span is how many bytes at the front of s are of the class.
func span(s string, class func(byte) bool) int {
	n := 0
	for n < len(s) && class(s[n]) {
		n++
	}
	return n
}

func all(s string, class func(byte) bool) bool { return span(s, class) == len(s) }
