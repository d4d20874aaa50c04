"""The same as truncate.ts in Python: a request on standard input, messages on standard output.

pith eval --compactor "python3 mine.py"
"""
import json
import sys

request = json.load(sys.stdin)
messages, left = request["messages"], request["targetTokens"] * 4
start = len(messages)
while start > 0 and left > 0:
    start -= 1
    left -= len(json.dumps(messages[start]))
while start < len(messages) and messages[start]["role"] != "user":
    start += 1
json.dump({"messages": messages[start:]}, sys.stdout)
