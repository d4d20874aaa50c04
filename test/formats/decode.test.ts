import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decode, decodeText, detect } from '../../src/formats/index.ts'
import { decoded, FIXTURES, fixture } from './fixture.ts'

const claude = fixture('claude-code.jsonl')

describe('a file that is not a session', () => {
  it.each([
    ['an empty file', '', 'empty'],
    ['a byte order mark alone', '\uFEFF', 'empty'],
    ['blank lines', '\n\r\n  \n', 'empty'],
    ['bytes that are no text', '\u007fELF\u0002\u0001\0\0\0\0\0\0\0\0\0\0\0', 'binary'],
    ['bytes that were decoded all the same', '\uFFFD'.repeat(100), 'binary'],
    ['prose', 'Dear diary, today I wrote no session.', 'unknown-format'],
    ['JSON of something else', '{"name":"pith","version":"0.1.0"}', 'unknown-format'],
    ['a list of something else', '[1,2,3]', 'unknown-format'],
    ['a session without messages', `${claude.split('\n')[0]}\n`, 'no-messages'],
    ['a document that is cut off before it says anything', fixture('opencode.json').slice(0, 200), 'no-messages'],
    ['a document that is damaged', fixture('opencode.json').replace('"messages"', '"messages'), 'broken'],
  ])('%s has a clear outcome', (_, text, reason) => {
    const result = decodeText(text)
    expect(result).toMatchObject({ ok: false, reason })
    expect(result.ok ? '' : result.text).toMatch(/^[^\n]+$/)
  })
})

it('a session that is nested too deeply to be read is broken, not an exception', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const called = '{"role":"model","parts":[{"functionCall":{"name":"read"}}]}'
  const answered = `{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"lines":${deep}}}}]}`
  expect(decodeText(`{"history":[${called},${answered}]}`, { format: 'gemini' })).toEqual({
    ok: false,
    reason: 'broken',
    text: 'the Gemini CLI session could not be read: RangeError: Maximum call stack size exceeded',
  })
})

describe('output of a program in a session', () => {
  // The agents write what they read of a binary file as JSON: replacement characters, and NULs with a backslash.
  const bytes = JSON.stringify('\uFFFDELF\0\uFFFD'.repeat(500)).slice(1, -1)

  it.each(readdirSync(FIXTURES).filter((name) => !/kinds/.test(name)))('may be binary: %s is read', (name) => {
    const whole = fixture(name)
    const text = whole.replace(/("(?:text|content|output|message|parts|arguments)"\s*:\s*)"/g, `$1"${bytes}`)
    expect(text).not.toBe(whole)
    const read = decoded(text)
    expect(read.format).toBe(decoded(whole).format)
    expect(read.entries.length).toBeGreaterThan(0)
  })

  it('may be all of the beginning of a long document', () => {
    const calls = [{ id: 'call-1', type: 'function', function: { name: 'bash', arguments: '{}' } }]
    const result = { role: 'tool', tool_call_id: 'call-1', content: '\uFFFD\0'.repeat(100_000) }
    const text = JSON.stringify({ messages: [result, { role: 'assistant', content: null, tool_calls: calls }, result] })
    expect(decoded(text).format).toBe('openai-chat')
  })

  it('does not make a session of a file whose lines were lost in a crash of the machine', () => {
    const read = decoded(`${'\0'.repeat(4096)}\n${claude}${'\0'.repeat(4096)}`)
    expect(read.entries).toEqual(decoded(claude).entries)
    expect(read.cut?.line).toBe(claude.split('\n').length + 1)
  })
})

describe('a damaged session', () => {
  it('is read except for its bad lines, each with its number', () => {
    const lines = claude.split('\n')
    lines.splice(5, 0, '{"type":"user","uuid":', '\0\0\0', '42')
    const session = decoded(lines.join('\n'))
    expect(session.issues.map((issue) => issue.line)).toEqual([6, 7, 8])
    expect(session.entries).toEqual(decoded(claude).entries)
  })

  it('reports a thousand issues and counts all', () => {
    const bad = (count: number) => decoded(`${claude}${'no JSON\n'.repeat(count)}`)
    expect(bad(999).issues).toHaveLength(999)
    expect(bad(1_000).issues).toHaveLength(1_000)
    const { issues, counts } = bad(1_001)
    expect(issues).toHaveLength(1_000)
    expect(counts.issues).toBe(1_001)
  })

  it('is read up to the place where it was cut off', () => {
    const session = decoded(claude.slice(0, claude.length - 100))
    const line = claude.split('\n').length - 1
    expect(session.issues).toEqual([{ line, reason: 'the file ends in the middle of this line, which was left out' }])
    expect(session.cut).toEqual(session.issues[0])
    expect(session.counts.messages).toBeGreaterThan(5)
    expect(decoded(claude).cut).toBeUndefined()
  })

  it('is read up to the place where it was cut off, even if that is in its only line', () => {
    const [first = ''] = fixture('openhands.jsonl').split('\n')
    const cut = decoded(first.slice(0, first.length * 0.7))
    expect(cut.entries[0]).toEqual(decoded(first).entries[0])
    expect(cut.cut).toEqual({ line: 1, reason: expect.stringContaining('the file ends in the middle') })
  })

  it.each(readdirSync(FIXTURES).filter((name) => /^(?!.*kinds).*\.(?:json|traj)$/.test(name)))(
    '%s is read up to the place where it was cut off',
    (name) => {
      const whole = decoded(fixture(name))
      for (const share of [0.6, 0.75, 0.9]) {
        const cut = decoded(fixture(name).slice(0, Math.floor(fixture(name).length * share)))
        expect(cut.format).toBe(whole.format)
        expect(cut.issues[0]).toEqual({ line: 0, reason: expect.stringContaining('the file ends in the middle') })
        expect(cut.entries[0]).toEqual(whole.entries[0])
        expect(cut.entries.length).toBeLessThanOrEqual(whole.entries.length)
      }
    },
  )

  it.each([
    ['with the line ends of Windows', claude.replaceAll('\n', '\r\n')],
    ['with blank lines', claude.replaceAll('\n', '\n\n')],
    ['without a last line end', claude.trimEnd()],
  ])('%s reads the same', (_, text) => {
    expect(decoded(text).entries).toEqual(decoded(claude).entries)
  })

  it.each(readdirSync(FIXTURES))('%s reads the same after a byte order mark', (name) => {
    const marked = `\uFEFF${fixture(name)}`
    expect(detect(marked)).toBe(detect(fixture(name)))
    expect(decodeText(marked)).toEqual(decodeText(fixture(name)))
  })

  it('arrives in pieces of any size and reads the same', async () => {
    for (const size of [1, 7, 1_000]) {
      const pieces = Array.from({ length: Math.ceil(claude.length / size) }, (_, i) =>
        claude.slice(i * size, (i + 1) * size),
      )
      const result = await decode(pieces)
      expect(result.ok && result.session.entries).toEqual(decoded(claude).entries)
    }
  })

  it('does not hold a line of 200 MB', async () => {
    const piece = 'x'.repeat(1024 * 1024)
    async function* pieces() {
      yield claude
      yield '{"type":"user","uuid":"huge","message":{"role":"user","content":"'
      for (let i = 0; i < 200; i++) yield piece
      yield '"}}\n'
      yield claude
        .split('\n')
        .at(-2)
        ?.replace('"uuid":"a8"', '"uuid":"a9"')
        .replace('"parentUuid":"r5"', '"parentUuid":"a8"') ?? ''
    }
    const result = await decode(pieces())
    expect(result.ok && result.session.issues).toEqual([
      { line: claude.split('\n').length, reason: 'the line is longer than 64 MB and was left out' },
    ])
    expect(result.ok && result.session.entries.length).toBe(decoded(claude).entries.length)
  })
})

it('a message list may be stored as one message a line', () => {
  const list = JSON.parse(fixture('openai-chat.json'))
  const lines = [...list.map((message: unknown) => JSON.stringify(message)), '{"role":"us'].join('\n')
  expect(detect(lines)).toBe('openai-chat')
  const session = decoded(lines)
  expect(session.entries).toEqual(decoded(fixture('openai-chat.json')).entries)
  expect(session.issues).toEqual([{ line: 9, reason: expect.stringContaining('ends in the middle') }])
})

describe('lines with fields of the wrong kind', () => {
  const WRONG = [
    null,
    1,
    'x',
    true,
    [],
    {},
    [null],
    [1],
    { type: 'text' },
    [{ type: 'tool_use' }],
    [{ type: 'tool_result' }],
  ]

  it.each([
    ['claude-code.jsonl', 'message'],
    ['codex.jsonl', 'payload'],
    ['pi-v3.jsonl', 'message'],
    ['copilot.jsonl', 'data'],
    ['gemini.jsonl', 'content'],
    ['openhands.jsonl', 'history'],
    ['pith.jsonl', 'message'],
  ])('%s never throws', (name, key) => {
    for (const wrong of WRONG) {
      const text = fixture(name)
        .trimEnd()
        .split('\n')
        .map((row, i) => (i === 0 ? row : JSON.stringify({ ...JSON.parse(row), [key]: wrong })))
        .join('\n')
      expect(() => decodeText(text)).not.toThrow()
    }
  })

  it.each([
    'opencode.json',
    'gemini.json',
    'swe-agent.traj',
    'mini-swe-agent.traj.json',
    'ai-sdk.json',
    'ai-sdk-ui.json',
    'openai-chat.json',
    'openai-responses.json',
    'anthropic.json',
    'gemini-checkpoint.json',
  ])('%s never throws', (name) => {
    const { session } = decodeText(fixture(name)) as { session: { format: 'opencode' } }
    for (const wrong of WRONG) {
      const text = JSON.stringify(JSON.parse(fixture(name)), (key, value) =>
        key === 'content' || key === 'parts' ? wrong : value,
      )
      expect(() => decodeText(text, { format: session.format })).not.toThrow()
    }
  })
})
