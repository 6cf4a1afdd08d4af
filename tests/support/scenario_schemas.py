#!/usr/bin/env python3
"""Validate scenario files as editors do: scenario_schemas.py LIFETIME-SCHEMA STEP-SCHEMA FILE...

Comments and trailing commas are taken out; includes are not resolved, so that a file which is laid over
another one is right by itself. Two made-up mistakes must be found in every file."""
import json
import re
import sys

import jsonschema

# A text, or a comment.
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)


def load(path):
    with open(path) as file:
        text = TOKEN.sub(lambda token: token[0] if token[0][0] == '"' else "", file.read())
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", text))


validators = {}
for kind, path in zip(("lifetime", "replay"), sys.argv[1:3]):
    with open(path) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"].startswith("https://"), "a relative $id, which validators look for as a file"
    assert "$schema" in schema["properties"] and "include" in schema["properties"]
    assert '"default": ' in json.dumps(schema)
    validators[kind] = jsonschema.Draft202012Validator(schema)
n_bad = 0
for path in sys.argv[3:]:
    scenario = load(path)
    validator = validators[scenario.get("kind", "lifetime")]
    for error in validator.iter_errors(scenario):
        print("FAIL:", path, list(error.path), error.message)
        n_bad += 1
    for wrong in ({"faultz": {}}, {"include": 7}, {"replicas": "many"}):
        if validator.is_valid({**scenario, **wrong}):
            print("FAIL:", path, "is right with", wrong)
            n_bad += 1
    if not validator.is_valid({**scenario, "$schema": "scenario.schema.json"}):
        print("FAIL:", path, "may not say where its schema is")
        n_bad += 1
print(len(sys.argv) - 3, "scenario files as they are against the schemas")
sys.exit(n_bad > 0)
