import { describe, expect, it } from 'vitest'
import { REDACTED } from '../../../src/engine/context/view/rewrite-message.ts'
import { REDACTED_SUMMARY } from '../../../src/engine/context/view/summary-item.ts'
import type { Entry, EntryOf } from '../../../src/model/types.ts'
import { redactedEntry, redactedTextOf, withoutTraces } from '../../../src/store/rows/redacted-entry.ts'
import { compaction } from '../../support/compaction.ts'

const every = { id: 'a', seq: 1, at: 0 }

function settings(of: Partial<EntryOf<'settings'>>): Entry {
  return { ...every, type: 'settings', ...of }
}

describe('an entry that is redacted', () => {
  it('has no words of the user left in its settings: title, prompt and instructions', () => {
    const whole = {
      title: 'Mend the upload',
      policy: { prompt: 'Sum it up', keepMessages: 3 },
      origin: { agent: 'codex', model: 'gpt-5', system: 'You are Codex' },
    }
    expect(redactedEntry(settings(whole))).toEqual(
      settings({
        title: REDACTED,
        policy: { prompt: REDACTED, keepMessages: 3 },
        origin: { agent: 'codex', model: 'gpt-5', system: REDACTED },
      }),
    )
  })

  it('has no titles of sections of a prompt left, and one that repeats a redacted message is gone', () => {
    const prompt = [
      { title: 'The key is kite-9182-orange', tokens: 4 },
      { title: 'Tone', tokens: 9 },
    ]
    expect(redactedEntry(settings({ prompt }))).toEqual(
      settings({ prompt: prompt.map(({ tokens }) => ({ title: REDACTED, tokens })) }),
    )
    const message: Entry = {
      ...every,
      type: 'message',
      message: { role: 'user', content: 'The key is kite-9182-orange' },
    }
    const [cleaned] = withoutTraces([redactedTextOf(message)], [settings({ prompt, tools: [] })])
    expect(cleaned?.clean).toEqual(
      settings({ prompt: [{ title: REDACTED, tokens: 4 }, prompt[1]], tools: [] } as never),
    )
  })

  it('has no words in its settings that were not there', () => {
    const plain = settings({ policy: { keepMessages: 3 }, origin: { agent: 'codex' } })
    expect(redactedEntry(plain)).toEqual(plain)
    expect(redactedEntry(settings({}))).toEqual(settings({}))
  })

  it('keeps what kind of change it was, and why is gone', () => {
    const attempt: Entry = { ...every, type: 'attempt', outcome: 'failed', reason: 'the key abc is wrong' }
    expect(redactedEntry(attempt)).toEqual({ ...attempt, reason: REDACTED })
    const todo: Entry = { ...every, type: 'todo', items: [{ text: 'Call Ann', status: 'done' }] }
    expect(redactedEntry(todo)).toEqual({ ...todo, items: [{ text: REDACTED, status: 'done' }] })
    const undo: Entry = { ...every, type: 'undo', of: 1 }
    expect(redactedEntry(undo)).toBe(undo)
  })
})

describe('the summary of a span', () => {
  const summarised: Entry = { ...every, seq: 6, ...compaction({ from: 3, upTo: 5, summary: 'They gave the key' }) }

  /** The summary that is left when the message `seq` is redacted, which shares no word with it. */
  function summaryWithout(seq: number): unknown {
    const message: Entry = { ...every, seq, type: 'message', message: { role: 'user', content: 'abc' } }
    return withoutTraces([redactedTextOf(message)], [summarised])[0]?.clean
  }

  it.each([3, 4, 5])('is gone when message %i, which is in the span, is redacted', (seq) => {
    expect(summaryWithout(seq)).toMatchObject({ summary: REDACTED_SUMMARY })
  })

  it.each([2, 6])('stays when message %i, which is beside the span, is redacted', (seq) => {
    expect(summaryWithout(seq)).toBeUndefined()
  })

  it('loses what it knew of a redacted message after the span, and keeps its words', () => {
    const since = { commits: [{ seq: 7, subject: 'Rotate the key abc' }], git: [{ seq: 8, kind: 'clean' as const }] }
    const later: Entry = { ...every, seq: 9, ...compaction({ from: 3, upTo: 5, summary: 'They gave the key', since }) }
    const message: Entry = { ...every, seq: 7, type: 'message', message: { role: 'user', content: 'abc' } }
    const clean = withoutTraces([redactedTextOf(message)], [later])[0]?.clean
    expect(clean).toMatchObject({ summary: 'They gave the key', since: { git: since.git } })
    expect(JSON.stringify(clean)).not.toContain('abc')
  })
})
