"""Judges patterns and replacements as the golden data does.

Reads {"patterns": [pattern, ...], "templates": [[pattern, replacement], ...]}
as JSON and writes the verdicts in the same shape, with the Python version.
"""

import json
import re
import sys
import warnings


def pattern_verdict(pattern):
    try:
        return str(re.compile(pattern).groups)
    except (re.error, OverflowError, ValueError):
        return "bad"


def template_verdict(pattern, replacement):
    try:
        re.compile(pattern).sub(replacement, "")
        return "ok"
    except IndexError:
        return "group"
    except re.error as error:
        return "group" if error.msg.startswith("invalid group reference") else "bad"


warnings.simplefilter("ignore")
data = json.load(sys.stdin)
json.dump(
    {
        "version": "%d.%d" % sys.version_info[:2],
        "patterns": [pattern_verdict(pattern) for pattern in data["patterns"]],
        "templates": [template_verdict(*template) for template in data["templates"]],
    },
    sys.stdout,
)
