/** The thread of `startInstantModel`: answers as a stream or whole, as the request asks, without reading it. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

const ANSWER =
  '## Goal\nTo go on with the work.\n\n## Progress\nThe files were read and changed.\n\n## Next\nThe next thing.'
const USAGE = { prompt_tokens: 1_000, completion_tokens: 30, total_tokens: 1_030 }
const ABOUT = { id: 'instant', created: 0, model: 'instant' }

let [requests, bytes] = [0, 0]

const server = createServer((request, response) => {
  let streamed = false
  let end = ''
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    // The flag may lie across two chunks, and stands before the messages or behind them.
    const text = end + chunk.subarray(0, 2_000).toString('latin1') + chunk.subarray(-2_000).toString('latin1')
    streamed ||= /"stream":\s*true/.test(text)
    end = text.slice(-40)
  })
  request.on('end', () => {
    requests++
    if (streamed) sendStream(response)
    else sendWhole(response)
  })
})
// Clients keep their connections for the next run, however long that takes to come.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
})
parentPort?.on('message', () => {
  parentPort?.postMessage({ requests, bytes })
  requests = bytes = 0
})

function sendWhole(response: ServerResponse): void {
  const message = { role: 'assistant', content: ANSWER }
  response.setHeader('content-type', 'application/json')
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  response.end(JSON.stringify({ ...ABOUT, object: 'chat.completion', choices, usage: USAGE }))
}

function sendStream(response: ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream')
  const event = (choices: unknown, more = {}) =>
    `data: ${JSON.stringify({ ...ABOUT, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  response.write(event([{ index: 0, delta: { role: 'assistant', content: ANSWER }, finish_reason: null }]))
  response.write(event([{ index: 0, delta: {}, finish_reason: 'stop' }]))
  response.end(`${event([], { usage: USAGE })}data: [DONE]\n\n`)
}
