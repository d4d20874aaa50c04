import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A server of the OpenAI Responses protocol that takes any request and always gives the same answer. */
export async function startLenientServer(answer: string): Promise<{
  url: string
  requests: { body: unknown }[]
  violations: { problem: string }[]
  close: () => Promise<void>
}> {
  const requests: { body: unknown }[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.end('{"data":[]}')
    requests.push({ body: JSON.parse(await text(request)) })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of eventsOf(answer)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    return response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, requests, violations: [], close }
}

function eventsOf(answer: string): { type: string; [key: string]: unknown }[] {
  const content = [{ type: 'output_text', text: answer, annotations: [] }]
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  const response = { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', output: [item], usage }
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ]
}
