import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexDelta } from '../../../../src/engine/facts/index-delta.ts'
import { digest } from '../../../../src/engine/record/digest/digest.ts'
import { logOf } from '../../../../src/engine/view/log.ts'
import { viewOf } from '../../../../src/engine/view/view-of.ts'
import { emptyIndex, mergeIndexes } from '../../../../src/model/log-index.ts'
import type { Message } from '../../../../src/model/message.ts'
import type { Item, SummaryItem } from '../../../../src/model/view.ts'
import { charactersByFour } from '../../../../src/tokens/estimate/estimator.ts'
import { history } from '../../../support/arbitrary-history.ts'
import { full } from '../../../support/full.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const estimator = charactersByFour
const itemsOf = (messages: readonly Message[]): Item[] => viewOf(logOf(messages)).items.slice()

function digestOf(items: readonly Item[], tokens = 2_000): string {
  const earlier = items.flatMap((item) => (item.kind === 'summary' ? [item.index] : []))
  return digest({ items, index: mergeIndexes([...earlier, indexDelta(items)]), tokens, estimator })
}
const digested = (messages: readonly Message[], tokens?: number) => digestOf(itemsOf(messages), tokens)

/** The lines of a section, without its heading. */
function section(text: string, title: string): string[] {
  const found = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`))
  return found === undefined ? [] : found.trimEnd().split('\n').slice(1)
}

const bash = (id: string, command: string, output: string, exit: number): Message[] => [
  call(id, 'bash', { command }),
  result(id, `${output}\nexit code: ${exit}`, 'bash'),
]
const closed = [
  user('Add a parser for dates.\nIt is for the reports.'),
  assistant('Let me look at the code.'),
  call('a'),
  result('a'),
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I found that the old parser fails because it ignores time zones. Next I will test it.' },
      { type: 'tool-call', toolCallId: 'b', toolName: 'bash', input: { command: 'npm test' } },
    ],
  },
  result('b', '3 passed\nexit code: 0', 'bash'),
  assistant('I added the parser in src/dates.ts. All tests pass now.'),
] satisfies Message[]

describe('a digest', () => {
  it('has the first request as its goal, with its handle', () => {
    const [goal = ''] = section(digested([...closed, user('Now the times.'), assistant('Done.')]), 'Goal')
    expect(goal).toContain('Add a parser for dates. It is for the reports.')
    expect(goal).toContain('#1')
    expect(goal).not.toContain('times')
  })

  it('tells what the agent found out on its render, not what it was about to do', () => {
    const decisions = section(digested(closed), 'Decisions').join('\n')
    expect(decisions).toContain('#5')
    expect(decisions).toContain('the old parser fails because it ignores time zones')
    expect(decisions).not.toMatch(/Let me look|Next I will/)
  })

  it('tells what is done by the request and the last word on it', () => {
    const done = section(digested(closed), 'Done').join('\n')
    expect(done).toMatch(/#7.*Add a parser for dates.*I added the parser in src\/dates\.ts/)
    expect(section(digested(closed), 'In progress')).toEqual([])
  })

  it('tells what was tried and failed, and what resolved it', () => {
    const failed = [user('test it'), ...bash('a', 'npm test', 'Error: no such table: users', 1)]
    expect(section(digested(failed), 'Tried and failed').join('\n')).toMatch(/#3.*npm test.*no such table: users/)
    const passed = [...failed, ...bash('b', 'npm test', 'ok', 0), assistant('It works.')]
    expect(digested(passed)).not.toContain('no such table')
    const mended = [...failed, ...bash('b', 'npx vitest run', 'ok', 0), assistant('It works.')]
    expect(section(digested(mended), 'Tried and failed').join('\n')).toMatch(
      /users \(then `npx vitest run` passed #4\)/,
    )
  })

  it('tells what is in progress: the request, the last word and the last steps', () => {
    const open = [
      ...closed,
      user('Now the times.'),
      assistant('I start with the tests.'),
      ...bash('c', 'ls', 'a.ts', 0),
    ]
    const lines = section(digested(open), 'In progress').join('\n')
    expect(lines).toMatch(/#8.*Now the times\./)
    expect(lines).toContain('I start with the tests.')
    expect(lines).toMatch(/#10.*ls.*a\.ts/)
    expect(section(digested(open), 'Next').join('\n')).toContain('#8')
    expect(section(digested(open), 'Done').join('\n')).not.toContain('Now the times')
  })

  it('tells the open to-dos as what is next', () => {
    const todos = ['completed', 'in_progress', 'pending', 'cancelled'].map((status) => ({
      content: `${status} one`,
      status,
    }))
    const planned = [user('plan it'), call('t', 'TodoWrite', { todos }), result('t'), assistant('I made a plan.')]
    const next = section(digested(planned), 'Next')
    expect(next).toEqual([expect.stringContaining('in_progress one'), expect.stringContaining('pending one')])
  })

  it('of nothing is nothing', () => {
    expect(digest({ items: [], index: emptyIndex, tokens: 1_000, estimator })).toBe('')
  })

  it('is the same to the byte for the same conversation', () => {
    fc.assert(
      fc.property(history, (messages) => {
        expect(digested(structuredClone(messages))).toBe(digested(messages))
      }),
      { numRuns: full ? 1_000 : 50 },
    )
  })
})

describe('a digest that has little room', () => {
  const long = Array.from({ length: 60 }, (_, i) => [
    user(`Do part ${i}.`),
    assistant(`I finished part ${i} of the work and it passes.`),
  ]).flat()

  it('tells the newest, and how much is left out', () => {
    const done = section(digested(long, 300), 'Done')
    const told = done.filter((line) => line.startsWith('- '))
    expect(done[0]).toBe(`(${60 - told.length} older lines left out: search the log with recall)`)
    expect(told.at(-1)).toContain('I finished part 59')
    expect(told.length).toBeGreaterThan(3)
  })

  it('stays within it, whatever the conversation, and never throws', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: 3_000 }), (messages, tokens) => {
        const text = digested(messages, tokens)
        // A note in each of the seven sections says what is left out.
        expect(estimator.text(text)).toBeLessThanOrEqual(tokens + 7 * 15)
        expect(text).not.toMatch(/undefined|\[object/)
      }),
      { numRuns: full ? 5_000 : 300 },
    )
  })

  it('has nothing to tell without any', () => {
    expect(digested(long, 0)).toBe('')
  })
})

describe('a digest on top of an earlier summary', () => {
  const summarised = (text: string): SummaryItem => {
    const message = user(text)
    const place = { seq: 20, place: 9, from: 1, upTo: 9, pinned: false } as const
    return { kind: 'summary', ...place, message, text, frame: 'pith', index: emptyIndex }
  }
  const later = itemsOf([user('Go on.'), assistant('I removed the old code.')])

  it('brings its goal, its decisions and what was done forward', () => {
    const earlier = '## Goal\nA parser.\n\n## Decisions\n- We chose a table.\n\n## Done\n- The lexer.'
    const text = digestOf([summarised(earlier), ...later])
    expect(section(text, 'Goal')).toEqual(['A parser.'])
    expect(section(text, 'Decisions')).toContain('- We chose a table.')
    expect(section(text, 'Done')[0]).toBe('- The lexer.')
    expect(section(text, 'Done').join('\n')).toContain('I removed the old code.')
  })

  it('drops what was in progress and next: that is over', () => {
    const text = digestOf([summarised('## In progress\nThe lexer.\n\n## Next\n- The parser.'), ...later])
    expect(text).not.toMatch(/The lexer|The parser/)
  })

  it('tells sections that it does not know as what came earlier', () => {
    const text = digestOf([summarised('## Open questions\n- Which port?'), ...later])
    expect(section(text, 'Earlier')).toEqual(['Open questions:', '- Which port?'])
  })

  it('keeps a text without any section', () => {
    expect(section(digestOf([summarised('We built a parser.'), ...later]), 'Earlier')).toEqual(['We built a parser.'])
  })

  it('adds what it leaves out to what was left out before', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `- Part ${i} is done and it passes.`)
    const note = '(17 older lines left out: search the log with recall)'
    const text = digestOf([summarised(['## Done', note, ...lines].join('\n')), ...later], 200)
    const [counted = '', ...told] = section(text, 'Done')
    // One more is from the turn behind the summary.
    expect(counted).toContain(`(${17 + 41 - told.length} older lines`)
  })
})

describe('a digest of what is hard to tell', () => {
  it('has the last word of a turn, also when it is one very long line or has no sentence in it', () => {
    const prose = `The parser is done. ${'It reads dates of every kind. '.repeat(100)}`
    const names = `parser ${'lexer printer '.repeat(300)}`
    for (const said of [prose, names]) {
      const done = section(digested([user('Write a parser.'), assistant(said), user('go on')]), 'Done').join('\n')
      expect(done).toContain(said.slice(0, 19))
    }
  })

  it('has no escape sequence of a terminal in its last steps', () => {
    const output = '\u001b[1m\u001b[31mFAIL\u001b[0m \u001b]8;;https://example.org\u0007a link\u001b]8;;\u0007\u001b'
    const text = digested([
      user('Run the tests.'),
      call('a', 'bash', { command: 'npm test' }),
      result('a', output, 'bash'),
    ])
    expect(text).toContain('→ FAIL a link')
    expect(text).not.toContain('\u001b')
  })
})
