/**
 * The thread of `startInstantModel`: answers as a stream or whole, as the request asks. It reads only the two ends of a
 * request, for the names that its summary needs.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import { END_CHARACTERS, instantSummary } from './instant-summary.ts'

const USAGE = { prompt_tokens: 1_000, completion_tokens: 300, total_tokens: 1_300 }
const ABOUT = { id: 'instant', created: 0, model: 'instant' }

let [requests, bytes] = [0, 0]

const server = createServer((request, response) => {
  let begin = ''
  let end = ''
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (begin.length < END_CHARACTERS) begin += chunk.subarray(0, END_CHARACTERS).toString('latin1')
    end = (end + chunk.subarray(-END_CHARACTERS).toString('latin1')).slice(-END_CHARACTERS)
  })
  request.on('end', () => {
    requests++
    const ends = begin + end
    // The flag comes before or after the messages.
    if (/"stream":\s*true/.test(ends)) sendStream(response, instantSummary(begin, end))
    else sendWhole(response, instantSummary(begin, end))
  })
})
// Clients keep their connections for the next run, however late it starts.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
})
parentPort?.on('message', () => {
  parentPort?.postMessage({ requests, bytes })
  requests = bytes = 0
})

function sendWhole(response: ServerResponse, content: string): void {
  const message = { role: 'assistant', content }
  response.setHeader('content-type', 'application/json')
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  response.end(JSON.stringify({ ...ABOUT, object: 'chat.completion', choices, usage: USAGE }))
}

function sendStream(response: ServerResponse, content: string): void {
  response.setHeader('content-type', 'text/event-stream')
  const event = (choices: unknown, more = {}) =>
    `data: ${JSON.stringify({ ...ABOUT, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  response.write(event([{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }]))
  response.write(event([{ index: 0, delta: {}, finish_reason: 'stop' }]))
  response.end(`${event([], { usage: USAGE })}data: [DONE]\n\n`)
}
