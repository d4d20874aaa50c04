import { describe, expect, it } from 'vitest'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { indexDelta } from '../../../../src/engine/extract/index-delta.ts'
import { type DigestInput, digest } from '../../../../src/engine/record/digest/digest.ts'
import { emptyIndex, mergeIndexes } from '../../../../src/model/facts/log-index.ts'
import type { Item, Message, SummaryItem } from '../../../../src/model/types.ts'
import { charactersByFour } from '../../../../src/tokens/estimate/estimator.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const itemsOf = (messages: readonly Message[]): readonly Item[] => viewOf(logOf(messages)).items.slice()
const digestOf = (items: readonly Item[], more: Partial<DigestInput> = {}) =>
  digest({ items, index: mergeIndexes([indexDelta(items)]), tokens: 2_000, estimator: charactersByFour, ...more })

const DONE = assistant('The parser is four times as quick. Should I commit this?')

describe('a digest', () => {
  it("lists the agent's reports, newest first, and a question that was not answered", () => {
    const text = digestOf(
      itemsOf([user('one'), assistant('The first part of the work is finished, and all is well.'), user('two'), DONE]),
    )
    expect(text).toMatch(
      /### What the agent reported, newest first\n- #4 \(to #3\) The parser[^\n]*\n- #2 \(to #1\) The first/,
    )
    expect(text).toMatch(
      /## Next steps and pitfalls\n- The agent asked \(#4\), and nobody has answered: Should I commit this\?/,
    )
  })

  it('does not list as open what the messages after it show', () => {
    const items = itemsOf([user('one'), DONE])
    expect(digestOf(items, { tail: itemsOf([user('yes')]) })).not.toContain('nobody has answered')
    const open = itemsOf([user('one'), call('a'), result('a', 'what came back')])
    expect(digestOf(open)).toContain('what came back')
    expect(digestOf(open, { tail: itemsOf([assistant('I go on.')]) })).not.toContain('what came back')
  })

  it('is the same for the same input, and shorter for less room', () => {
    const messages = Array.from({ length: 40 }, (_, i) => [
      user(`part ${i}`),
      assistant(`Part ${i} is finished now. ${'It works. '.repeat(40)}`),
    ]).flat()
    const items = itemsOf(messages)
    expect(digestOf(items)).toBe(digestOf(itemsOf(messages)))
    for (const tokens of [2_000, 500, 100, 0])
      expect(digestOf(items, { tokens }).length).toBeLessThanOrEqual(tokens * 4 + 200)
  })
})

describe('an earlier summary', () => {
  const RECORDED = [
    'Summary:',
    '1. Primary Request and Intent:',
    '   - Continue the work on PR #174, and keep the port 8443',
    '2. Files and Code Sections:',
    '   - `src/a.ts` holds the parser',
    '```',
    'const a = 1',
    '```',
    '3. All user messages:',
    '   - "go on"',
    '4. Pending Tasks:',
    `   - ${'Measure it on Windows too, as the paths differ there. '.repeat(6)}`,
    'Please continue the conversation from where we left it off.',
  ].join('\n')

  it('that a model wrote is carried on nearly whole, without what the log says itself', () => {
    const text = digestOf([summary(RECORDED), ...itemsOf([user('go on')])])
    expect(text).toMatch(
      /## Earlier[^\n]*\n\*\*Primary Request and Intent\*\*\n {3}- Continue the work on PR #174, and keep the port 8443/,
    )
    expect(text).toContain(RECORDED.split('\n').at(-2)?.trim())
    for (const left of ['const a', 'All user messages', '"go on"', 'Please continue']) expect(text).not.toContain(left)
  })

  it('of reasons appears among the reasons', () => {
    const earlier =
      '## Reasons\n- The cache is there because parsing took a second.\n\n## Next steps and pitfalls\n- Commit it.'
    const text = digestOf([summary(earlier), ...itemsOf([user('go on')])])
    expect(text).toMatch(/^## Reasons\n- The cache is there/)
    expect(text).not.toContain('Commit it.')
  })

  it('keeps its current state, unlike the one of another agent, under either title', () => {
    const carried = (title: string) =>
      digestOf([summary(`## ${title}\n- The parser is done.`), ...itemsOf([user('go on')])])
    expect(carried('Current state')).toMatch(/\*\*Current state\*\*\n- The parser is done\./)
    expect(carried('Where things stand')).toBe(carried('Current state'))
    expect(carried('Current Work')).not.toContain('The parser is done.')
  })

  describe('of another agent', () => {
    const FOREIGN = [
      'This session is being continued from a previous conversation that ran out of context.',
      '## Goal',
      '- Keep `src/a.ts` as it is still today',
      '## Key concepts',
      '- The wire format has two bytes for the length of each frame',
      '- `src/b.ts` reads one frame at a time',
      '  - It has no cache',
      '- The test of the reader is failing',
      '- The branch is still uncommitted',
      '## Pending Tasks',
      '- Write the reader',
    ].join('\n')
    const foreign = { ...summary(FOREIGN), by: 'Claude Code' }
    const edit = [
      call('e', 'edit', { path: 'src/b.ts', edits: [{ oldText: 'a', newText: 'b' }] }),
      result('e', 'ok', 'edit'),
      call('t', 'bash', { command: 'npm test' }),
      result('t', 'Tests  3 passed (3)', 'bash'),
    ]
    const later = (messages: readonly Message[]) =>
      itemsOf([...Array.from({ length: 20 }, () => user('go on')), ...messages]).slice(20)
    const earlierOf = (text: string) => /## Earlier[^\n]*\n([\s\S]*?)(?=\n## |$)/.exec(text)?.[1] ?? ''

    it('is marked as that agent’s', () => {
      const text = earlierOf(digestOf([foreign, ...later([user('go on')])]))
      expect(text).toMatch(/^Claude Code wrote this summary \(#20\)\./)
      expect(text).toContain('It has no cache')
      expect(earlierOf(digestOf([summary(FOREIGN), ...later([user('go on')])]))).not.toContain('wrote this summary')
    })

    it('is quoted only for what newer facts do not cover', () => {
      const text = earlierOf(digestOf([foreign, ...later(edit)]))
      expect(text.split('\n').slice(1)).toEqual([
        '**Goal**',
        '- Keep `src/a.ts` as it is still today',
        '**Key concepts**',
        '- The wire format has two bytes for the length of each frame',
        '**Pending Tasks**',
        '- Write the reader',
      ])
    })

    it('keeps a fault together with its fix, and leaves out one without', () => {
      const faults = [
        '## Errors',
        '- The lexer fails at tabs',
        '  - Fix: count them as one sign',
        '- The parser is broken',
      ]
      const text = earlierOf(digestOf([{ ...foreign, text: faults.join('\n') }, ...later(edit)]))
      expect(text.split('\n').slice(2)).toEqual(faults.slice(1, 3))
    })

    it('has no tasks after the to-dos were written again', () => {
      const todos = [
        { kind: 'list' as const, seq: 30, items: [{ id: '1', text: 'Test it', status: 'pending' as const }] },
      ]
      const items = [foreign, ...later([user('go on')])]
      const text = digestOf(items, { index: { ...mergeIndexes([indexDelta(items)]), todos } })
      expect(text).not.toContain('Write the reader')
    })

    it('is carried on by the next digest with its mark, and without what has been covered since', () => {
      const once = digestOf([foreign, ...later([user('go on')])])
      const twice = digestOf([{ ...summary(once), written: false }, ...later(edit)])
      expect(earlierOf(twice)).toBe(earlierOf(digestOf([foreign, ...later(edit)])))
    })
  })

  it('is carried on again by the digest after the next', () => {
    const once = digestOf([summary(RECORDED), ...itemsOf([user('go on')])])
    const twice = digestOf([{ ...summary(once), written: false }, ...itemsOf([user('go on')])])
    expect(twice).toBe(once)
  })
})

function summary(text: string): SummaryItem {
  return {
    kind: 'summary',
    seq: 20,
    place: 9,
    from: 1,
    upTo: 9,
    standsFor: 9,
    message: user(text),
    text,
    written: true,
    frame: 'pith',
    index: emptyIndex,
    pinned: false,
  }
}
