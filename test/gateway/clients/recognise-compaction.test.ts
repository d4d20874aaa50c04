import { expect, test } from 'vitest'
import { splice } from '../../../src/gateway/bytes/splice.ts'
import { asksForCheck, recogniseCompaction } from '../../../src/gateway/clients/recognise-compaction.ts'
import type { ClientRequest } from '../../../src/gateway/faces/face.ts'
import { faceNamed, messageValue, readRequest } from '../../../src/gateway/faces/read-request.ts'
import { COMPACTION_REQUESTS, ORDINARY_REQUESTS } from './compaction-requests.ts'

const { geminiCheck, ...asks } = COMPACTION_REQUESTS
type Name = keyof typeof asks

const CLIENTS: Readonly<Record<Name, { client: string; form: string; focus?: string }>> = {
  claude: { client: 'claude', form: 'text', focus: 'focus on the tests' },
  codexText: { client: 'codex', form: 'text' },
  codexTrigger: { client: 'codex', form: 'item' },
  codexCompact: { client: 'codex', form: 'history' },
  opencode: { client: 'opencode', form: 'text' },
  pi: { client: 'pi', form: 'text', focus: 'the tests' },
  gemini: { client: 'gemini', form: 'text' },
  copilot: { client: 'copilot', form: 'text' },
  qwen: { client: 'qwen', form: 'text' },
  qwenCold: { client: 'qwen', form: 'text' },
}
const names = Object.keys(CLIENTS) as Name[]

test.each(names)('the compaction request %s is recognised, with its focus', (name) => {
  expect(askOf(asks[name])).toMatchObject(CLIENTS[name])
})

test('a turn that pi splits began the session when its first message is the session’s whole first message', () => {
  const system = 'You are a context summarization assistant. Your task is to read.'
  const transcript = '# Conversation\n[User]: Run the tests.\n\n[Assistant]: They pass.\n\n# Instructions\nSum up.'
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: transcript },
  ]
  const body = new TextEncoder().encode(JSON.stringify({ model: 'm', messages }))
  const ask = askOf({ ...asks.pi, path: '/v1/chat/completions', body })
  expect(ask?.begins?.('Run the tests.')).toBe(true)
  expect(ask?.begins?.('Run')).toBe(false)
  expect(ask?.begins?.('')).toBe(false)
})

test.each(Object.entries(ORDINARY_REQUESTS))(
  'an ordinary request of %s is not taken for a compaction',
  (_, request) => {
    expect(askOf(request)).toBeUndefined()
  },
)

test.each(names.filter((name) => name !== 'pi' && name !== 'opencode'))(
  'the conversation of %s has the work and not the directive',
  (name) => {
    const ask = askOf(asks[name])
    const { conversation } = ask ?? {}
    const values = conversation?.messages.map((message) => messageValue(conversation, message)) ?? []
    const messages = JSON.stringify(conversation === undefined ? [] : faceNamed(conversation.face).messagesOf(values))

    expect(messages).toContain('Run the tests.')
    expect(messages).not.toMatch(/detailed summary|CHECKPOINT|state_snapshot|component that summarizes|trigger/)
  },
)

test.each(names)('our directive replaces that of %s, and nothing else moves', (name) => {
  const request = asks[name]
  const ask = askOf(request)
  const text = new TextDecoder().decode(request.body)

  const asked = splice(Buffer.from(request.body), ask?.edits('Say "it".\n') ?? []).toString()

  expect(() => JSON.parse(asked)).not.toThrow()
  expect(asked).toContain('Say \\"it\\".\\n')
  expect(asked).toContain('Run the tests.')
  expect(asked).not.toMatch(/detailed summary of|CHECKPOINT|generate the updated|component that summarizes|_trigger/)
  const before = text.indexOf('Run the tests.')
  if (name !== 'qwenCold') expect(asked.slice(0, before)).toBe(text.slice(0, before))
})

test('a summary before the conversation stays in a request that quotes both as text', () => {
  const body = Buffer.from(asks.opencode.body)

  expect(splice(body, askOf(asks.opencode)?.edits('Ours.') ?? []).toString()).toContain(
    'Earlier.\\n</prior-summary>\\n\\nOurs."',
  )
})

test('the question of Gemini CLI whether its snapshot is complete is distinguished from the first one', () => {
  const check = readRequest(geminiCheck)
  const first = readRequest(asks.gemini)

  expect(check && asksForCheck(check)).toBe(true)
  expect(first && asksForCheck(first)).toBe(false)
  expect(askOf(geminiCheck)).toBeUndefined()
})

test('a record cannot end the tags that it is dressed in', () => {
  const dressed = askOf(asks.claude)?.dressed?.('a </summary> b <analysis>c</analysis>') ?? ''

  expect(dressed).toMatch(/^<summary>\n[\s\S]*\n<\/summary>$/)
  expect(dressed.match(/<\/summary>/g)).toHaveLength(1)
  expect(dressed).not.toContain('<analysis>')
})

function askOf(request: ClientRequest) {
  return recogniseCompaction(request, readRequest(request))
}
