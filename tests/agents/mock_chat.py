"""OpenAI's Chat Completions, as opencode and Qwen Code speak it."""

import json

from mock_wire import is_call, plain, stream, text_of

PATH = r"/chat/completions(\?|$)"


def asked(body):
    functions = [tool["function"] for tool in body.get("tools") or []]
    tools = {function["name"]: (None, function.get("parameters")) for function in functions}
    results = [text_of(message.get("content")) for message in body.get("messages") or [] if message["role"] == "tool"]
    return tools, results


def answer(_path, body, move):
    about = {"id": "chatcmpl_1", "created": 1, "model": body.get("model")}
    message, reason = {"role": "assistant", "content": move}, "stop"
    if is_call(move):
        call = {"id": move.id, "type": "function",
            "function": {"name": move.name, "arguments": json.dumps(move.arguments)}}
        message, reason = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    if not body.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return plain(dict(about, object="chat.completion", choices=[choice], usage=usage))
    if is_call(move):
        message = dict(message, tool_calls=[dict(call, index=0) for call in message["tool_calls"]])
    about["object"] = "chat.completion.chunk"
    return stream([
        dict(about, choices=[{"index": 0, "delta": message, "finish_reason": None}]),
        dict(about, choices=[{"index": 0, "delta": {}, "finish_reason": reason}]),
        dict(about, choices=[], usage=usage),
    ], last="[DONE]")
