"""Anthropic's Messages, as Claude Code speaks it."""

import json

from mock_wire import USAGE, is_call, plain, stream, text_of

PATH = r"/messages(\?|$)"


def asked(body):
    tools = {tool["name"]: (None, tool.get("input_schema")) for tool in body.get("tools") or []}
    parts = [part for message in body.get("messages") or [] if isinstance(message["content"], list)
        for part in message["content"]]
    return tools, [text_of(part.get("content")) for part in parts if part.get("type") == "tool_result"]


def answer(_path, body, move):
    if is_call(move):
        block = {"type": "tool_use", "id": "toolu_" + move.id, "name": move.name, "input": move.arguments}
        empty, delta = dict(block, input={}), {"type": "input_json_delta", "partial_json": json.dumps(move.arguments)}
    else:
        block = {"type": "text", "text": move}
        empty, delta = dict(block, text=""), {"type": "text_delta", "text": move}
    reason = "tool_use" if is_call(move) else "end_turn"
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model"), "content": [block],
        "stop_reason": reason, "stop_sequence": None, "usage": USAGE}
    if not body.get("stream"):
        return plain(message)
    return stream([
        {"type": "message_start", "message": dict(message, content=[], stop_reason=None)},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ], named=True)
