import { describe, expect, it } from 'vitest'
import { appended } from '../../../src/engine/context/view/log.ts'
import { scaled } from '../../../src/engine/report/context-parts.ts'
import { attachedFile } from '../../../src/model/text.ts'
import type { Entry, EntryDraft } from '../../../src/model/types.ts'
import { gauge } from '../../../src/tokens/status.ts'
import { safeText } from '../../../src/tui/port/safe-text.ts'
import { blocksOf } from '../../../src/tui/state/apply-entry.ts'
import { reduce } from '../../../src/tui/state/reduce.ts'
import { START, type State } from '../../../src/tui/state/state.ts'
import { call, result } from '../../support/messages.ts'

function logOf(...drafts: readonly EntryDraft[]): Entry[] {
  return [...appended([], drafts)]
}

const message = (content: string, role: 'user' | 'assistant' = 'user'): EntryDraft => ({
  type: 'message',
  message: { role, content },
})

describe('the state of the screen', () => {
  it('is the same whether entries come one by one or all at once', () => {
    const log = logOf(
      message('hello'),
      { type: 'message', message: call('a', 'read') },
      { type: 'message', message: result('a', 'text\nof two lines') },
      message('done', 'assistant'),
    )
    const live = log.reduce<State>((state, entry) => reduce(state, { type: 'entry', entry }, 0), START)
    expect(live.blocks).toEqual(blocksOf(log))
    expect(live.blocks.map(({ kind }) => kind)).toEqual(['user', 'tool', 'assistant'])
  })

  it('a message that the running turn took is not sent again, also with the files that it names', () => {
    const typed = 'look at @a.txt'
    const steered = reduce(START, { type: 'steering', steering: [typed, 'and then stop'] }, 1)
    const content = [
      { type: 'text' as const, text: typed },
      { type: 'text' as const, text: attachedFile('a.txt', 'its text') },
    ]
    const [entry] = logOf({ type: 'message', message: { role: 'user', content } })
    if (entry === undefined) throw new Error('no entry')
    const taken = reduce(steered, { type: 'entry', entry }, 2)
    expect(taken.steering).toEqual(['and then stop'])
    expect(reduce(taken, { type: 'turn-ended', reason: 'done', text: '' }, 3).queue).toEqual(['and then stop'])
  })

  it('what streams is replaced by what was said', () => {
    const streaming = reduce(reduce(START, { type: 'turn-started' }, 5), { type: 'text', text: 'par' }, 6)
    expect(streaming.live.text).toBe('par')
    const [entry] = logOf(message('partly', 'assistant'))
    if (entry === undefined) throw new Error('no entry')
    const said = reduce(streaming, { type: 'entry', entry }, 7)
    expect(said.live.text).toBe('')
    expect(said.blocks).toMatchObject([{ kind: 'assistant', text: 'partly' }])
  })

  it('an answer that broke off is taken back', () => {
    const streaming = reduce(reduce(START, { type: 'turn-started' }, 0), { type: 'text', text: 'half' }, 0)
    const voided = reduce(streaming, { type: 'answer-void', reason: 'the connection broke' }, 0)
    expect(voided.live.text).toBe('')
    expect(voided.activity).toMatchObject({ kind: 'replying', detail: 'asked again: the connection broke' })
  })

  it('after an automatic compaction the turn continues, after one that was asked for it is idle', () => {
    const start = { type: 'start', reason: 'threshold', tokens: 5, messages: 2 } as const
    const started = { type: 'compaction', automatic: true, event: start } as const
    const result = { outcome: 'compacted', messagesRemoved: 2, tokensBefore: 5, tokensAfter: 1 } as const
    const ended = { type: 'compaction-ended', automatic: true, result } as const
    const inTurn = reduce(reduce(reduce(START, { type: 'turn-started' }, 0), started, 1), ended, 2)
    expect(inTurn.activity).toMatchObject({ kind: 'replying' })
    expect(reduce(reduce(START, started, 1), ended, 2).activity).toEqual({ kind: 'idle' })
  })

  it('the tokens before and after a compaction are those of its entry, whatever the provider reports next', () => {
    const compaction: EntryDraft = {
      type: 'compaction',
      from: 1,
      upTo: 1,
      keep: [],
      summary: 's',
      frame: 'keen',
      indexDelta: {},
      messages: 1,
      reason: 'manual',
      rung: 'cold',
      tokensBefore: 9_000,
      tokensAfter: 4_000,
      drift: { factor: 1.2 },
    }
    const usage = { inputTokens: 5_001, outputTokens: 3 }
    const log = logOf(message('hello'), compaction, message('on'), {
      ...message('yes', 'assistant'),
      usage,
    } as EntryDraft)
    const live = log.reduce<State>((state, entry) => reduce(state, { type: 'entry', entry }, 0), START)
    expect(live.blocks).toEqual(blocksOf(log))
    expect(live.blocks[1]).toMatchObject({ tokensBefore: 9_000, tokensAfter: 4_000 })
  })

  it('a redacted message is not shown any more', () => {
    const log = logOf(message('my secret'), { type: 'redact', target: 1 })
    expect(JSON.stringify(blocksOf(log))).not.toContain('secret')
  })
})

describe('texts of others', () => {
  it('cannot move the cursor, set colours, ring, or turn the direction', () => {
    const hostile = 'a\x1b[31mb\x1b]0;title\x07c\x07d\x9b31me\u202ef\x1b]8;;http://x\x1b\\g\r\nh\ti'
    expect(safeText(hostile)).toBe(
      'ab\\u001b]0;title\\u0007c\\u0007d\\u009b31me\\u202ef\\u001b]8;;http://x\\u001b\\g\nh  i',
    )
  })
})

describe('shares of a whole', () => {
  it('are whole numbers that add up to it', () => {
    expect(scaled([1, 1, 1], 100)).toEqual([34, 33, 33])
    expect(scaled([0, 0], 7)).toEqual([7, 0])
    expect(scaled([3, 1], 8)).toEqual([6, 2])
  })
})

it('an unknown price is a note, once', () => {
  const status = { ...gauge(10, 100), source: 'provider' } as const
  const event = { type: 'status', status, suggestPercent: 0, cost: undefined, knownCost: 0 } as const
  const once = reduce(reduce({ ...START, cost: 0 }, event, 1), event, 2)
  expect(once.blocks).toEqual([
    expect.objectContaining({ text: expect.stringContaining('price of a model is not known') }),
  ])
})
