"""The common parts of the wire protocols."""

import json

USAGE = {"input_tokens": 10, "output_tokens": 5}


def is_call(move):
    return not isinstance(move, str)


def plain(body):
    return "application/json", json.dumps(body).encode()


def stream(events, named=False, last=None):
    """Server-sent events. named: each also has its type as the event's name."""
    lines = []
    for event in events:
        if named:
            lines.append("event: %s\n" % event["type"])
        lines.append("data: %s\n\n" % json.dumps(event))
    if last:
        lines.append("data: %s\n\n" % last)
    return "text/event-stream", "".join(lines).encode()


def text_of(content):
    """A tool's result as one text, from a text, an object, or a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(part) for part in content)
    if isinstance(content, dict):
        if isinstance(content.get("text"), str):
            return content["text"]
        return json.dumps(content, ensure_ascii=False)
    return "" if content is None else str(content)
