import { describe, expect, it } from 'vitest'
import { REDACTED } from '../../../src/engine/context/view/rewrite-message.ts'
import { REDACTED_SUMMARY } from '../../../src/engine/context/view/summary-item.ts'
import { framePart, textOfParts } from '../../../src/engine/record/compose.ts'
import { FLAGGED } from '../../../src/engine/record/prompts/record-texts.ts'
import type { Entry, EntryOf, RecordPart } from '../../../src/model/types.ts'
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
    const indexDelta = {
      commits: [{ seq: 7, subject: 'Rotate the key abc' }],
      git: [{ seq: 8, kind: 'staged' as const, paths: ['a.ts'] }],
    }
    const later = stored({ summary: 'They gave the key', indexDelta })
    const clean = without(7, 'abc', later)
    expect(clean).toMatchObject({ summary: 'They gave the key', indexDelta: { git: indexDelta.git } })
    expect(JSON.stringify(clean)).not.toContain('abc')
  })
})

/** A compaction of the messages 3 to 5, stored as entry 9. */
function stored(more: Partial<EntryOf<'compaction'>>): EntryOf<'compaction'> {
  return { ...compaction({ from: 3, upTo: 5, ...more }), ...every, seq: 9 } as EntryOf<'compaction'>
}

/** The entry after the message `seq` with this text was redacted, or undefined if nothing of it was in the entry. */
function without(seq: number, text: string, ...entries: readonly Entry[]): Entry | undefined {
  const message: Entry = { ...every, seq, type: 'message', message: { role: 'user', content: text } }
  return withoutTraces([redactedTextOf(message)], entries).findLast(({ before }) => before === entries.at(-1))?.clean
}

describe('the parts of a record', () => {
  const around = (...inside: readonly RecordPart[]): RecordPart[] => [
    framePart('<record>'),
    ...inside,
    framePart('</record>'),
  ]
  const said = (seq: number, text: string): RecordPart => ({ section: 'Now', from: [seq], text: `- #${seq} ${text}` })
  const [three, four] = [said(3, 'water'), said(4, 'tea')]
  const agent = (seq: number, text: string): RecordPart => ({
    ...said(seq, text),
    section: 'Current state',
    narrative: true,
  })

  it('of a digest go if they come from the entry, wherever it is, and no others do', () => {
    const parts = around(three, four, said(8, 'seen after the span'), agent(5, 'It boils'), agent(4, 'It is green'))
    const digest = stored({ rung: 'digest', parts, summary: '## Current state\n- #5 It boils\n- #4 It is green' })
    const clean = (seq: number) => without(seq, 'abc', digest) as EntryOf<'compaction'>
    expect(textOfParts(clean(4).parts ?? [])).toBe(
      textOfParts(around(three, said(8, 'seen after the span'), agent(5, 'It boils'))),
    )
    expect(clean(4).summary).toBe('## Current state\n- #5 It boils')
    expect(textOfParts(clean(8).parts ?? [])).toBe(textOfParts(parts.toSpliced(3, 1)))
    expect(clean(8).summary).toBe(digest.summary)
    expect(clean(2)).toBeUndefined()
  })

  it('go too if they repeat its text, but not the words around the record', () => {
    const key = 'sk-live-51Hx9zQ'
    const parts = around(three, said(4, `the key is ${key}`), { section: 'Now', from: [], text: `in /work/${key}/` })
    const clean = without(2, `use ${key}`, stored({ rung: 'digest', summary: '', parts }))
    expect(clean).toMatchObject({
      parts: around(three, { ...parts[2], text: '' } as RecordPart, { ...parts[3], text: '' } as RecordPart),
    })
    const framed = [
      framePart('Continue with what the user asked last'),
      three,
      said(4, 'Continue with what the user asked'),
    ]
    expect(
      without(2, 'Continue with what the user asked', stored({ rung: 'digest', summary: '', parts: framed })),
    ).toMatchObject({
      parts: [framed[0], three, { text: '' }],
    })
  })

  it('that a model wrote go with the first redaction in its span, and with the names that were doubtful in them', () => {
    const doubt = framePart(`\n${FLAGGED} \`abcdef\``)
    const words: RecordPart = { section: 'Current state', from: [], text: 'They gave the key', narrative: true }
    const entry = stored({ summary: 'They gave the key', flagged: ['abcdef'], parts: around(three, words, doubt) })
    const clean = without(4, 'abc', entry) as EntryOf<'compaction'>
    expect(textOfParts(clean.parts ?? [])).toBe(textOfParts(around(three, { ...words, text: REDACTED_SUMMARY })))
    expect(clean).toMatchObject({ summary: REDACTED_SUMMARY, flagged: undefined })
    expect(without(2, 'abc', entry)).toBeUndefined()
  })

  it('that quote an earlier summary go with an entry which that summary covered, and so does its fact', () => {
    const earlier = { ...stored({ summary: 'They gave the key' }), seq: 6 }
    const quoted: RecordPart = { section: 'Earlier summary', from: [6], text: 'They gave the key', narrative: true }
    const later = stored({
      from: 7,
      upTo: 8,
      rung: 'digest',
      summary: '',
      parts: around(said(7, 'on'), quoted),
      indexDelta: { narratives: [{ seq: 6, text: 'They gave the key' }], users: [{ seq: 7, text: 'on' }] },
    })
    const clean = without(4, 'abc', earlier, later) as EntryOf<'compaction'>
    expect(textOfParts(clean.parts ?? [])).toBe(textOfParts(around(said(7, 'on'))))
    expect(clean.indexDelta).toMatchObject({ users: [{ seq: 7, text: 'on' }] })
    expect(clean.indexDelta.narratives ?? []).toEqual([])
    expect(without(2, 'abc', earlier, later)).toBeUndefined()
  })
})
