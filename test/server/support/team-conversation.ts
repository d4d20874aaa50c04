import { expect } from 'vitest'
import { faceNamed } from '../../../src/gateway/faces/read-request.ts'
import { textOf } from '../../../src/model/types.ts'
import { call } from '../../gateway/support/world.ts'
import type { ServerProcess } from './processes.ts'

type Talk = { readonly servers: readonly ServerProcess[]; readonly name: string; readonly turns: number }

/**
 * A conversation whose requests go to the servers in turn. Every third request goes to all of them at once, as from a client
 * that asks again because an answer is late. Returns the first lines of all texts.
 */
export async function teamConversation({ servers, name, turns }: Talk): Promise<string[]> {
  const texts: string[] = []
  for (let turn = 1; turn <= turns; turn++) {
    texts.push(`Step ${turn} of ${name}.\n${'A long line of the work. '.repeat(80)}`)
    const asked = turn % 3 === 0 ? servers : servers.slice(turn % servers.length).slice(0, 1)
    const answers = await Promise.all(asked.map((server) => ask(server, texts)))
    expect(new Set(answers).size).toBe(1)
    texts.push(answers[0] ?? '')
  }
  return texts.map((text) => text.replace(/\n[\s\S]*/, ''))
}

/** A request without tools would be one for a summary. */
const TOOLS = [{ name: 'read', input_schema: { type: 'object' } }]

async function ask({ url, token }: ServerProcess, texts: readonly string[]): Promise<string> {
  const messages = texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }))
  const { status, body } = await call(`${url}/gateway/local/v1/messages`, {
    body: JSON.stringify({ model: 'pith-test', max_tokens: 100, stream: true, tools: TOOLS, messages }),
    headers: { 'content-type': 'application/json', 'x-api-key': 'test-key', 'x-pith-gateway': token },
  })
  expect(status).toBe(200)
  const answer = faceNamed('anthropic').answerOf(String(body), messages.length)
  return answer?.message === undefined ? '' : textOf(answer.message)
}
