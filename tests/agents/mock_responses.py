"""OpenAI's Responses, as Codex speaks it."""

import json

from mock_wire import is_call, plain, stream, text_of

PATH = r"/responses(\?|$)"


def asked(body):
    tools = {}
    for tool in body.get("tools") or []:
        if tool.get("type") == "namespace":  # the tools of an MCP server
            tools.update({inner["name"]: (tool["name"], inner.get("parameters")) for inner in tool.get("tools") or []})
        elif "name" in tool:
            tools[tool["name"]] = (None, tool.get("parameters"))
    items = body.get("input")
    results = [text_of(item.get("output")) for item in items if str(item.get("type")).endswith("call_output")] if (
        isinstance(items, list)) else []
    return tools, results


def item_of(move):
    if not is_call(move):
        return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": move, "annotations": []}]}
    item = {"type": "function_call", "id": "item_" + move.id, "call_id": move.id, "name": move.name,
        "arguments": json.dumps(move.arguments), "status": "completed"}
    return dict(item, namespace=move.space) if move.space else item


def answer(_path, body, move):
    item = item_of(move)
    usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15}
    response = {"id": "resp_1", "object": "response", "created_at": 1, "model": body.get("model"),
        "status": "completed", "output": [item], "usage": usage, "error": None}
    if not body.get("stream"):
        return plain(response)
    begun = dict(response, status="in_progress", output=[], usage=None)
    events = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]
    return stream([dict(event, sequence_number=number) for number, event in enumerate(events)], named=True)
