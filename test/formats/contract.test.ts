import { describe, expect, it } from 'vitest'
import { indexDelta, messagesOf, parseEntry, validate, viewOf } from '../../src/engine.ts'
import { detect, type FormatName, READABLE_FORMATS } from '../../src/formats/index.ts'
import { textOf } from '../../src/model/types.ts'
import { ANSWERED, ASKED, decoded, fixture } from './fixture.ts'

const FIXTURES: readonly (readonly [string, FormatName])[] = [
  ['claude-code.jsonl', 'claude-code'],
  ['codex.jsonl', 'codex'],
  ['pi-v3.jsonl', 'pi'],
  ['opencode.json', 'opencode'],
  ['gemini.json', 'gemini'],
  ['gemini.jsonl', 'gemini'],
  ['gemini-checkpoint.json', 'gemini'],
  ['copilot.jsonl', 'copilot'],
  ['qwen-code.jsonl', 'qwen-code'],
  ['openhands.jsonl', 'openhands'],
  ['swe-agent.traj', 'swe-agent'],
  ['mini-swe-agent.traj.json', 'mini-swe-agent'],
  ['ai-sdk.json', 'ai-sdk'],
  ['ai-sdk-ui.json', 'ai-sdk-ui'],
  ['openai-chat.json', 'openai-chat'],
  ['openai-responses.json', 'openai-responses'],
  ['anthropic.json', 'anthropic'],
  ['pith.jsonl', 'pith'],
]

describe.each(FIXTURES)('%s', (name, format) => {
  const session = decoded(fixture(name))
  const view = viewOf(session.entries)
  const index = indexDelta(view.items.slice())

  it('is recognised by its content, also by its beginning alone', () => {
    expect(session.format).toBe(format)
    expect(detect(fixture(name))).toBe(format)
    expect(detect(fixture(name).slice(0, Math.ceil(fixture(name).length * 0.7)))).toBe(format)
  })

  it('is read without issues into a log that our own parser takes', () => {
    expect(session.issues).toEqual([])
    for (const entry of session.entries) expect(parseEntry(JSON.parse(JSON.stringify(entry)))).toEqual(entry)
    expect(session.entries.map((entry) => entry.seq)).toEqual(session.entries.map((_, i) => i + 1))
  })

  it('has a view that every provider takes', () => {
    expect(validate(messagesOf(view))).toEqual([])
  })

  it('begins with what the user asked and says what the agent answered', () => {
    const [first] = messagesOf(view)
    expect(first?.role).toBe('user')
    expect(first && textOf(first)).toBe(ASKED)
    expect(messagesOf(view).map(textOf)).toContain(ANSWERED)
  })

  it('lists the files that were read and modified', () => {
    const files = Object.fromEntries(index.files?.map((file) => [file.path.replace('/repo/', ''), file.access]) ?? [])
    expect(files).toMatchObject({ 'src/config.ts': 'read', 'src/server.ts': 'modified' })
  })

  it('lists the command that failed, with its exit status and its error', () => {
    expect(index.commands?.find((command) => command.command === 'npm test')).toMatchObject({ ok: false, exit: 1 })
    expect(index.errors?.some((error) => error.text.includes('expected 8081, got 8080'))).toBe(true)
  })

  it('keeps what the user demanded', () => {
    expect(index.constraints?.map((fact) => fact.text).join()).toContain('Never touch src/legacy.ts')
  })
})

it('every format that can be read has a fixture here', () => {
  expect([...new Set(FIXTURES.map(([, format]) => format))].toSorted()).toEqual(READABLE_FORMATS.toSorted())
})

it.each(['claude-code.jsonl', 'codex.jsonl', 'opencode.json', 'gemini.json', 'qwen-code.jsonl'])(
  '%s lists the to-dos',
  (name) => {
    const items = viewOf(decoded(fixture(name)).entries).items.slice()
    expect(indexDelta(items).todos?.at(-1)).toMatchObject({
      items: [
        { text: 'Change the port', status: 'done' },
        { text: 'Fix the test', status: 'pending' },
      ],
    })
  },
)
