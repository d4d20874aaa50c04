#!/usr/bin/env bash
# Pith from any language: a server, and `curl` instead of your program. It needs bash and curl.
# In an empty folder with the copy of this file in the package: npm install pith && bash 08-serve-and-curl.sh
set -euo pipefail

folder=$(mktemp -d)
export PITH_HOME="$folder" # a place of its own for this example; leave it out and your own sessions are served
pith=(node "$(dirname "$0")/../src/cli/main.ts") # in your shell: pith=pith

"${pith[@]}" serve --port 0 --quiet >"$folder/out" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$folder"' EXIT
until grep -q 'serves at' "$folder/out"; do kill -0 $server && sleep 0.2; done

url=$(sed -n 's/^Pith serves at //p' "$folder/out")
token=$("${pith[@]}" serve token add curl)
api() { curl --silent --show-error --fail-with-body -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }
field() { grep -o "\"$1\":\"\{0,1\}[^\",}]*" | sed -n '1s/.*[:"]//p'; } # if you have jq: jq .$1

session=$(api -X POST "$url/v1/sessions" -d '{ "title": "from curl" }' | field id)
echo "session $session"

# Send what your agent said and did; the model's own answers come with the usage that it reported.
words=$(printf 'what the harbour needs, and why. %.0s' {1..60})
for day in {1..12}; do
  api -X POST "$url/v1/sessions/$session/messages" -d '{ "messages": [
    { "message": { "role": "user", "content": "Day '$day': '"$words"'" } },
    { "message": { "role": "assistant", "content": "Noted for day '$day': '"$words"'" } } ] }' >/dev/null
done

# How full is the context?
echo "tokens before: $(api "$url/v1/sessions/$session/context" | field tokens)"

# Compact it. With no model configured the summary is a digest.
echo "outcome: $(api -X POST "$url/v1/sessions/$session/compact" -d '{}' | field outcome)"
echo "tokens after: $(api "$url/v1/sessions/$session/context" | field tokens)"

# Get the messages to send to a model now, in the shape that its API wants …
api "$url/v1/sessions/$session/view?shape=openai" | cut -c 1-120
# … and everything is still there.
api -X POST "$url/v1/sessions/$session/undo" -d '{}' >/dev/null
echo "tokens after undo: $(api "$url/v1/sessions/$session/context" | field tokens)"
