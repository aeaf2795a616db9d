"""Google's generateContent, as Gemini CLI speaks it."""

from mock_wire import is_call, plain, stream, text_of

PATH = r":(streamG|g)enerateContent"


def asked(body):
    declared = [function for tool in body.get("tools") or [] for function in tool.get("functionDeclarations") or []]
    tools = {function["name"]: (None, function.get("parametersJsonSchema") or function.get("parameters"))
        for function in declared}
    parts = [part for content in body.get("contents") or [] for part in content.get("parts") or []]
    return tools, [told(part["functionResponse"]) for part in parts if "functionResponse" in part]


def told(result):
    response = result.get("response") or {}
    return text_of(response.get("output") or response.get("error") or response)


def answer(path, body, move):
    part = {"text": move}
    if is_call(move):
        part = {"functionCall": {"id": move.id, "name": move.name, "args": move.arguments}}
    elif (body.get("generationConfig") or {}).get("responseMimeType") == "application/json":
        part = {"text": '{"reasoning":"none","next_speaker":"user"}'}
    chunk = {"candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}}
    if "stream" not in path:
        return plain(chunk)
    return stream([chunk]) if "alt=sse" in path else plain([chunk])
