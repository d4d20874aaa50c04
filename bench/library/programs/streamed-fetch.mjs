/** A `fetch` for clients that want a whole chat completion: the server of the bench only streams. */
export async function streamedFetch(url, init) {
  const body = JSON.parse(init.body)
  if (body.stream === true) return fetch(url, init)
  const asked = { ...body, stream: true, stream_options: { include_usage: true } }
  const { 'content-length': _, ...headers } = Object.fromEntries(new Headers(init.headers))
  const response = await fetch(url, { ...init, headers, body: JSON.stringify(asked) })
  return response.ok ? Response.json(completionOf(await response.text())) : response
}

function completionOf(text) {
  const chunks = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)))
  const message = { role: 'assistant', content: '', tool_calls: [] }
  let finish_reason = 'stop'
  for (const { delta = {}, finish_reason: reason } of chunks.flatMap(({ choices }) => choices)) {
    message.content += delta.content ?? ''
    for (const { index, id, function: call } of delta.tool_calls ?? []) {
      message.tool_calls[index] ??= { id, type: 'function', function: { name: call.name, arguments: '' } }
      message.tool_calls[index].function.arguments += call.arguments ?? ''
    }
    finish_reason = reason ?? finish_reason
  }
  const { id, created, model } = chunks[0]
  const usage = chunks.findLast((chunk) => chunk.usage)?.usage
  if (message.tool_calls.length === 0) delete message.tool_calls
  return { id, created, model, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage }
}
