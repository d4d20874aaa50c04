import { describe, expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { lossText } from '../../../src/engine/report/loss-text.ts'
import type { Entry, EntryDraft, EntryOf, Message } from '../../../src/model/types.ts'
import { type LostMessage, lostMessages } from '../../../src/study/loss/lost-messages.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { compaction } from '../../support/compaction.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

type Story = {
  readonly before: readonly Message[]
  readonly record?: string
  readonly keep?: readonly number[]
  readonly tail?: readonly Message[]
  readonly after?: readonly Message[]
  readonly changes?: readonly EntryDraft[]
}

describe('what a compaction lost', () => {
  it('is what neither the record nor the tail has, each message with its name, size and first line', () => {
    const lost = lostIn({
      before: [user('Look at the heron.'), call('a', 'read', { path: 'src/heron.ts' }), result('a', LEGS)],
      record: 'The user: “Look at the heron.” Read src/heron.ts.',
      tail: [assistant('It has two legs.')],
    })
    expect(lost).toMatchObject([
      { seq: 3, role: 'tool', name: 'read src/heron.ts', firstLine: 'export const heronLegs = 2', step: [2, 3] },
    ])
    expect(lost[0]?.tokens).toBeGreaterThan(10)
    expect(lost[0]?.stepTokens).toBeGreaterThan(lost[0]?.tokens ?? 0)
  })

  it('is nothing that was kept, redacted or put back', () => {
    const before = [
      user('The key is kite-9.'),
      user('Never paint the kite_tail.'),
      user('Go on with the kite_string.'),
      user('And kite_wings.'),
    ]
    const changes: EntryDraft[] = [
      { type: 'redact', target: 1 },
      { type: 'pin', target: 4, on: true, back: [4] },
    ]
    expect(seqs(lostIn({ before, keep: [2], changes }))).toEqual([3])
  })

  it('is nothing that had been left out before', () => {
    const before = [
      user('Look.'),
      call('a', 'read', { path: 'src/heron.ts' }),
      result('a', LEGS),
      assistant('Well, toolBox.'),
    ]
    const sizes = { requestedBy: 'user' as const, tokensBefore: 2, tokensAfter: 1 }
    const log = appended(logOf(before), [
      { type: 'leave-out', targets: [{ from: 2, upTo: 3, tokens: 9 }], ...sizes },
      compaction({ upTo: 4, summary: 'Look.' }),
    ])
    const input = { log, compaction: lastCompaction(log), record: 'Look.', estimator: charactersByFour }
    expect(seqs(lostMessages(input))).toEqual([4])
  })

  it('begins with what the user demanded, then with what they said at length', () => {
    const lost = lostIn({
      before: [
        user('Fine.'),
        user('Never change the public interface of the heron.'),
        user(`The heron stands in the water since ${'a long time, and '.repeat(12)}waits.`),
        assistant('I see.'),
      ],
    })
    expect(seqs(lost).slice(0, 2)).toEqual([2, 3])
    expect(why(lost, 2)).toContain('The user demanded something here that the record does not say.')
    expect(why(lost, 3)).toContain('The user said this, and the record does not quote it.')
  })

  it('puts a message whose names were used later before one that was not, and counts a name for its newest place', () => {
    const lost = lostIn({
      before: [...read('a', 'a.ts', LEGS), ...read('b', 'b.ts', LEGS), ...read('c', 'c.ts', NECK)],
      record: 'Read a.ts, b.ts and c.ts.',
      after: [call('d', 'bash', { command: 'grep -rn heronLegs .' })],
    })
    expect(seqs(lost)[0]).toBe(4)
    expect(why(lost, 4)).toContain('heronLegs: used later, from #8 on.')
    expect(why(lost, 2).join(' ')).not.toContain('used later')
  })

  it('begins with what the agent read again or recalled, not with the answer that has the most names', () => {
    const names = Array.from({ length: 300 }, (_, i) => `"field_${i}": ${i}`)
    const lost = lostIn({
      before: [
        ...read('a', 'src/heron.ts', LEGS),
        ...read('b', 'src/crane.ts', NECK),
        call('c', 'bash', { command: 'curl api/all' }),
        result('c', `{${names.join(', ')}}`),
        assistant('Nothing but herons: toolBox.'),
      ],
      record: 'Read src/heron.ts and src/crane.ts.',
      after: [
        call('d', 'mcp__pith__recall', { handles: '#4' }),
        call('e', 'recall', { handles: 'that one, please' }),
        call('f', 'recall', { handles: '#6', session: '12345678' }),
        call('g', 'read', { path: 'src/heron.ts' }),
      ],
    })
    expect(seqs(lost).slice(0, 2)).toEqual([4, 2])
    expect(why(lost, 4)[0]).toBe('The agent recalled it in #9.')
    expect(why(lost, 2)[0]).toBe('The agent read src/heron.ts again in #12.')
    expect(why(lost, 6).join(' ')).not.toContain('recalled')
  })

  it('does not count a file as read again if it was changed since: the old text is of no use', () => {
    const edit = { path: 'src/heron.ts', old_string: 'legs', new_string: 'heronLegs' }
    const lost = lostIn({
      before: [...read('a', 'src/heron.ts', LEGS), call('b', 'edit', edit), result('b', 'done', 'edit')],
      record: 'Edited a file.',
      after: [call('c', 'read', { path: 'src/heron.ts' })],
    })
    expect(why(lost, 2).join(' ')).not.toContain('again')
  })

  it('puts a single name that was used later before a failure with many names', () => {
    const failed = Array.from({ length: 60 }, (_, i) => `error in craneNeck_${i}`).join('\n')
    const lost = lostIn({
      before: [
        ...read('a', 'a.ts', LEGS),
        call('b', 'bash', { command: 'npm test' }),
        result('b', `${failed}\nexit code 1`),
      ],
      record: 'Read a.ts.',
      after: [call('c', 'bash', { command: 'grep -rn heronLegs .' })],
    })
    expect(seqs(lost)[0]).toBe(2)
  })

  it('has a failure that the record does not mention, however short its text is', () => {
    const failed = [call('a', 'bash', { command: 'npm test' }), result('a', 'Error: no luck\nexit code 1')]
    const before = [...failed, call('b', 'bash', { command: 'make some' }), result('b', 'It is made.')]
    const lost = lostIn({ before, record: 'Tested it, and made some.' })
    expect(seqs(lost)).toEqual([2])
    expect(why(lost, 2)).toContain('It failed, and nothing shows that it was fixed.')
  })

  it('puts an outdated look at a file last, and says which entry has it since', () => {
    const before = [...read('a', 'src/heron.ts', NECK), ...read('b', 'src/heron.ts', LEGS), assistant('Hm, toolBox.')]
    const lost = lostIn({ before, record: 'Read src/heron.ts twice.' })
    expect(seqs(lost).at(-1)).toBe(2)
    expect(why(lost, 2)).toContain('Outdated: #4 has a newer version.')
  })

  it('names the last change of a file that no commit has', () => {
    const edit = { path: 'src/heron.ts', old_string: 'legs', new_string: 'heronLegs' }
    const lost = lostIn({ before: [call('a', 'edit', edit), result('a', 'done', 'edit')], record: 'Edited a file.' })
    expect(why(lost, 1)).toContain('The last change of src/heron.ts, not committed.')
  })

  it('says which earlier compaction had already taken a message out', () => {
    const [first, second] = [user('Count the heron_legs.'), user('Then the crane_necks.')]
    const drafts = [{ type: 'message', message: first }, compaction(), { type: 'message', message: second }] as const
    const log = appended([], [...drafts, compaction({ upTo: 3 })])
    const lost = lostMessages({ log, compaction: lastCompaction(log), record: '', estimator: charactersByFour })
    expect(lost.map(({ seq, since }) => [seq, since])).toEqual([
      [3, undefined],
      [1, 2],
    ])
  })

  it('says which mask had already hidden a result, and nothing of a message that an earlier compaction kept', () => {
    const drafts = [...read('a', 'a.ts', LEGS), user('Count the heron_legs.')].map(
      (message) => ({ type: 'message', message }) as const,
    )
    const mask: EntryDraft = { type: 'mask', targets: [2], tokensBefore: 9, tokensAfter: 1 }
    const log = appended([], [...drafts, mask, compaction({ upTo: 3, keep: [3] }), compaction({ upTo: 5 })])
    const lost = lostMessages({ log, compaction: lastCompaction(log), record: '', estimator: charactersByFour })
    expect(lost.find(({ seq }) => seq === 2)?.since).toBe(4)
    expect(lost.find(({ seq }) => seq === 3)?.since).toBeUndefined()
  })

  it('says which squeeze had already shortened a message, whether by itself or in an earlier compaction', () => {
    const drafts = [...read('a', 'a.ts', LEGS), ...read('b', 'b.ts', NECK)].map(
      (message) => ({ type: 'message', message }) as const,
    )
    const shortened = (target: number) => [{ target, head: 10, tail: 10 }]
    const earlier = compaction({ squeezes: shortened(4) })
    const log = appended([], [...drafts, { type: 'squeeze', squeezes: shortened(2) }, earlier, compaction({ upTo: 4 })])
    const lost = lostMessages({ log, compaction: lastCompaction(log), record: '', estimator: charactersByFour })
    expect(lost.find(({ seq }) => seq === 2)?.since).toBe(5)
    expect(lost.find(({ seq }) => seq === 4)?.since).toBe(6)
  })
})

const LEGS = 'export const heronLegs = 2\n// two of them, and both are long\n'.repeat(4)
const NECK = 'export const craneNeck = 1\n// one of them, and it is long\n'.repeat(4)

function read(id: string, path: string, text: string): Message[] {
  return [call(id, 'read', { path }), result(id, text)]
}

function lostIn({ before, record = '', keep = [], tail = [], after = [], changes = [] }: Story): LostMessage[] {
  const later = after.map((message) => ({ type: 'message', message }) as const)
  const log = appended(logOf([...before, ...tail]), [
    compaction({ upTo: before.length, keep: [...keep] }),
    ...later,
    ...changes,
  ])
  return lostMessages({ log, compaction: lastCompaction(log), record, estimator: charactersByFour })
}

function lastCompaction(log: readonly Entry[]): EntryOf<'compaction'> {
  const entry = log.findLast(({ type }) => type === 'compaction')
  if (entry?.type !== 'compaction') throw new Error('unreachable: the log has one')
  return entry
}

function seqs(lost: readonly LostMessage[]): number[] {
  return lost.map(({ seq }) => seq)
}

function why(lost: readonly LostMessage[], seq: number): string[] {
  return lost.find((one) => one.seq === seq)?.reasons.map(lossText) ?? []
}
