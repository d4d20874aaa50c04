import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

export type ChatMessage = { readonly role: string; readonly content: string }

/** A provider of chat completions. It sends its answer in pieces and waits for `pause` before each of them. */
export async function chatProvider(
  answerTo: (messages: readonly ChatMessage[]) => string,
  pause: () => Promise<unknown> = () => setTimeout(50),
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const { messages } = JSON.parse(await text(request)) as { messages: ChatMessage[] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const event = (choices: unknown, more = {}) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices, ...more })}\n\n`,
      )
    for (const piece of answerTo(messages).split(/(?<= )/)) {
      await pause()
      event([{ index: 0, delta: { role: 'assistant', content: piece }, finish_reason: null }])
    }
    event([{ index: 0, delta: {}, finish_reason: 'stop' }])
    event([], { usage: { prompt_tokens: 1_000, completion_tokens: 5, total_tokens: 1_005 } })
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The provider's answer to a conversation, put together from its pieces; throws when the stream breaks off. */
export async function askChat(url: string, messages: readonly ChatMessage[]): Promise<string> {
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream: true, stream_options: { include_usage: true }, messages }),
  })
  const stream = await reply.text()
  if (reply.status !== 200 || !stream.includes('[DONE]')) throw new Error(`the answer broke off: ${reply.status}`)
  const events = stream.split('\n\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
  return events.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
}
