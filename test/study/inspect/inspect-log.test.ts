import { describe, expect, it } from 'vitest'
import { type Entry, type EntryDraft, nextEntry } from '../../../src/engine.ts'
import { inspectLog } from '../../../src/study/inspect/inspect-log.ts'

const PRICES = { input: 1, output: 2, cacheRead: 0.1 }

describe('a look into a log', () => {
  const log = logOfDrafts([
    said('Fix a.ts'),
    called('c1', 'read', { path: 'a.ts' }, 1_000, 0),
    result('c1', 'read', 'one '.repeat(400)),
    called('c2', 'read', { path: 'a.ts' }, 2_000, 900),
    result('c2', 'read', 'one '.repeat(400)),
    called('c3', 'edit', { path: 'a.ts', old: 'one', new: 'two' }, 3_000, 1_800),
    result('c3', 'edit', 'edited'),
    summary(),
    said('Go on'),
    called('c4', 'bash', { command: 'npm test' }, 400, 300),
    result('c4', 'bash', 'passed '.repeat(10)),
  ])
  const look = inspectLog(log, { pricesOf: () => PRICES, model: { contextWindow: 10_000 } })

  it('shows how full the context was at each request, and where it was reduced', () => {
    expect(look.requests.map(({ tokens, reduced, source }) => [tokens, reduced, source])).toEqual([
      [1_000, false, 'provider'],
      [2_000, false, 'provider'],
      [3_000, false, 'provider'],
      [400, true, 'provider'],
    ])
    expect({ peak: look.peak, compactions: look.compactions }).toEqual({ peak: 3_000, compactions: 1 })
  })

  it('names the largest results by their calls, and says which the model no longer sees', () => {
    const [largest] = look.largest
    expect(largest).toMatchObject({ name: 'read a.ts', inView: false })
    expect(look.largest.find(({ name }) => name === 'bash npm test')).toMatchObject({ inView: true })
  })

  it('counts what was read again', () => {
    expect(look.repeated).toEqual([{ path: 'a.ts', times: 2, tokensAgain: look.largest[0]?.tokens }])
  })

  it('lists files of the whole log, also those that only a summary knows', () => {
    expect(look.files.map(({ path, access }) => [path, access])).toEqual([['a.ts', 'modified']])
  })

  it('lists a file as the tool names it, with what a commit and a delete made of it', () => {
    const named = { ...result('c1', 'write', 'Created.'), files: [{ path: 'src/new.ts', access: 'modified' as const }] }
    const { files } = inspectLog(
      logOfDrafts([
        called('c1', 'write', { path: './src/new.ts', content: 'x' }, 1, 0),
        named,
        called('c2', 'edit', { path: 'a.ts', old: 'one', new: 'two' }, 1, 0),
        result('c2', 'edit', 'edited'),
        called('c3', 'bash', { command: 'git commit -am "Add it"' }, 1, 0),
        result('c3', 'bash', '[main 1234567] Add it\n 1 file changed'),
        called('c4', 'bash', { command: 'git checkout -- a.ts && rm b.ts' }, 1, 0),
        result('c4', 'bash', ''),
        called('c5', 'read', { path: 'open.ts' }, 1, 0),
      ]),
    )
    expect(files.map(({ path, access }) => [path, access])).toEqual([
      ['src/new.ts', 'modified'],
      ['a.ts', 'modified'],
      ['b.ts', 'deleted'],
      ['open.ts', 'read'],
    ])
  })

  it('adds up what was spent by model, and how much came from the cache', () => {
    expect(look.spending).toMatchObject([
      { model: 'p/m', calls: 4, usage: { inputTokens: 6_400, cacheReadTokens: 3_000 } },
    ])
    expect(look.spending[0]?.cost).toBeCloseTo((3_400 * 1 + 3_000 * 0.1 + 40 * 2) / 1_000_000)
    expect(look.cacheShare).toBeCloseTo(3_000 / 6_400)
  })

  it('has parts that add up to the status', () => {
    const { tokens } = look.status
    expect(look.parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens)
    expect(look.parts.find(({ name }) => name === 'hidden')?.tokens).toBeGreaterThan(200)
  })

  it('estimates what was not reported', () => {
    const silent = logOfDrafts([
      said('Hello there'),
      { type: 'message', message: { role: 'assistant', content: 'Hi' } },
    ])
    const { requests, spending, cacheShare, status } = inspectLog(silent, {
      pricesOf: () => PRICES,
    })
    expect(requests).toMatchObject([{ source: 'estimate', tokens: 2 }])
    expect({ spending, cacheShare, known: status.known }).toEqual({ spending: [], cacheShare: undefined, known: false })
  })
})

function said(content: string): EntryDraft {
  return { type: 'message', message: { role: 'user', content } }
}

function called(
  toolCallId: string,
  toolName: string,
  input: object,
  inputTokens: number,
  cacheReadTokens: number,
): EntryDraft {
  return {
    type: 'message',
    message: { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    usage: { inputTokens, outputTokens: 10, cacheReadTokens },
    model: 'p/m',
  }
}

function result(toolCallId: string, toolName: string, value: string): EntryDraft {
  return {
    type: 'message',
    message: {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
    },
  }
}

function summary(): EntryDraft {
  return {
    type: 'compaction',
    from: 0,
    upTo: 7,
    keep: [],
    summary: 'a.ts was fixed',
    frame: 'keen',
    indexDelta: {},
    messages: 7,
    reason: 'threshold',
    rung: 'cold',
    tokensBefore: 3_000,
    tokensAfter: 100,
  }
}

function logOfDrafts(drafts: readonly EntryDraft[]): Entry[] {
  const log: Entry[] = []
  for (const draft of drafts) log.push(nextEntry(log, draft))
  return log
}
