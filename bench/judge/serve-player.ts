import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Player } from './player.ts'

/** A player as an OpenAI-compatible server, for peers that bring their own client. */
export async function servePlayer(player: Player): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        stream?: boolean
        messages: readonly ChatMessage[]
      }
      const textOfRole = (system: boolean) =>
        body.messages
          .filter(({ role }) => (role === 'system' || role === 'developer') === system)
          .map(textOf)
          .join('\n\n')
      const isStream = body.stream === true
      const waiting = keepWaiting(response, isStream)
      const asked = player.ask({ about: 'a summary for a peer', system: textOfRole(true), prompt: textOfRole(false) })
      const text = await asked.finally(() => clearInterval(waiting))
      if (isStream) sendStream(response, text)
      else sendWhole(response, text)
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined)
    }
  })
  // The server alone must not keep the program running.
  server.unref()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { url, close: () => void server.close() }
}

const SIGN_OF_LIFE_MS = 30_000

/** A person may take longer to answer than a client waits in silence, so we send white space, which is not part of an answer. */
function keepWaiting(response: ServerResponse, isStream: boolean): NodeJS.Timeout {
  response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
  response.flushHeaders()
  return setInterval(() => response.write(isStream ? ': waiting\n\n' : ' '), SIGN_OF_LIFE_MS)
}

type ChatMessage = { readonly role: string; readonly content: unknown }

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('\n')
}

const ABOUT = { id: 'player', created: 0, model: 'player' }
const USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

function sendWhole(response: ServerResponse, text: string): void {
  const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }]
  response.end(JSON.stringify({ ...ABOUT, object: 'chat.completion', choices, usage: USAGE }))
}

function sendStream(response: ServerResponse, text: string): void {
  const event = (choices: unknown, more = {}) =>
    `data: ${JSON.stringify({ ...ABOUT, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  response.write(event([{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }]))
  response.write(event([{ index: 0, delta: {}, finish_reason: 'stop' }]))
  response.end(`${event([], { usage: USAGE })}data: [DONE]\n\n`)
}
