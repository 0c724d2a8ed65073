#!/usr/bin/python3
"""validate_schema.py - checks JSON files against the schemas of docs/schema
SPDX-License-Identifier: GPL-3.0-or-later

usage: validate_schema.py FILE... [-- OLDER-FILE...]
Each file names its schema ("schema": "tan-x/1" -> docs/schema/tan-x.json). Every schema must be met by at least one of the files, and every
file must be refused as soon as a top-level key is unknown or has a wrong value. Files before -- are of
the programs as they are, which also write the keys that the schema lists as "written".
"""
import copy
import json
import pathlib
import sys

from jsonschema import Draft202012Validator

FOLDER = pathlib.Path("docs/schema")
schemas = {path.name: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}


def with_written(schema):
    """The schema with the keys required that the programs write today."""
    if isinstance(schema, list):
        return [with_written(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {key: with_written(part) for key, part in schema.items() if key != "written"}
    if "written" in schema:
        strict["required"] = schema.get("required", []) + schema["written"]
    return strict


def make_validator(schema, schemas):
    """One that finds the other schemas, with new and old versions of the library."""
    try:
        from referencing import Registry, Resource
    except ImportError:
        from jsonschema import RefResolver

        resolver = RefResolver(schema["$id"], schema, store=schemas)
        return Draft202012Validator(schema, resolver=resolver)
    resources = [(name, Resource.from_contents(s)) for name, s in schemas.items()]
    return Draft202012Validator(schema, registry=Registry().with_resources(resources))


def shortened(value):
    """The value with long lists of numbers, for each of which the library needs a while, replaced by
    the least and the greatest of each type: schemas ask the same of every item."""
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) > 100 and all(type(item) in (int, float) for item in value):
        kinds = [[item for item in value if type(item) is kind] for kind in (int, float)]
        return [end(kind) for kind in kinds if kind for end in (min, max)]
    return [shortened(item) for item in value]


def documents_of(path):
    """Pairs of a schema's file name and a document."""
    text = pathlib.Path(path).read_text()
    document = shortened(json.loads(text))
    return [(document["schema"].removesuffix("/1") + ".json", document)]


def wrong_ones(document):
    """What every document becomes wrong by."""
    yield "an unknown key", {**document, "unknown": 1}
    for key in document:
        wrong = copy.copy(document)
        wrong[key] = {"unknown": None}
        yield f"a wrong value of {key}", wrong


def main(paths):
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    strict = with_written(schemas)
    validators = {name: make_validator(schema, strict) for name, schema in strict.items()}
    unused = set(schemas) - {"common.json"}
    bad = 0
    for path in paths:
        if path == "--":
            validators = {name: make_validator(schema, schemas) for name, schema in schemas.items()}
            continue
        for name, document in documents_of(path):
            errors = list(validators[name].iter_errors(document))
            for error in errors[:5]:
                print(f"{path}: {error.json_path}: {error.message[:300]}")
            bad += len(errors)
            if name not in unused:
                continue
            unused.remove(name)
            for what, wrong in wrong_ones(document):
                if validators[name].is_valid(wrong):
                    print(f"{name} accepts {what}")
                    bad += 1
    for name in sorted(unused):
        print(f"{name}: no file to check")
    return 1 if bad or unused else 0


sys.exit(main(sys.argv[1:]))
