import { describe, expect, it } from 'vitest'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { factsIn } from '../../../../src/engine/extract/index-delta.ts'
import { digest } from '../../../../src/engine/record/digest/digest.ts'
import { mergeIndexes } from '../../../../src/model/facts/log-index.ts'
import type { Message, StatementFact } from '../../../../src/model/types.ts'
import { charactersByFour } from '../../../../src/tokens/estimate/estimator.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

const FAULT = 'The root cause is that `openStore` runs before the lock is taken.'
const FINDING = 'Every request uses a cache of 30 seconds in `renewLease`, even the first one.'
const DECISION = 'I decided to keep `openStore` synchronous, because two plugins call it at the start.'

const talk = (id: string): Message[] => [call(id), result(id)]
const editOf = (id: string, path: string, name = 'other'): Message[] => [
  call(id, 'edit', { path, edits: [{ oldText: `function ${name}() { a }`, newText: `function ${name}() { b }` }] }),
  result(id, 'ok', 'edit'),
]
const ran = (id: string, command: string, output: string): Message[] => [
  call(id, 'bash', { command }),
  result(id, output, 'bash'),
]
const LONG = Array.from({ length: 6 }, (_, i) => talk(`long${i}`)).flat()

function reasonsAfter(sentence: string, since: readonly Message[], stored: readonly StatementFact[] = []): string {
  const messages = [user('Fix it.'), assistant(sentence), ...LONG, ...since, assistant('This is what I did for you.')]
  const items = viewOf(logOf(messages)).items.slice()
  const index = mergeIndexes([factsIn(items), ...(stored.length === 0 ? [] : [{ statements: [...stored] }])])
  const text = digest({ items, index, tokens: 2_000, estimator: charactersByFour })
  return /## Reasons\n([\s\S]*?)(?=\n## |$)/.exec(text)?.[1] ?? ''
}

describe('a fault that the agent found', () => {
  it('is a reason until it is fixed', () => {
    expect(reasonsAfter(FAULT, [])).toContain(FAULT)
    expect(reasonsAfter(FAULT, ran('t', 'npm test', '3 passed'))).toContain(FAULT)
    expect(reasonsAfter(FAULT, editOf('e', 'src/other.ts'))).toContain(FAULT)
  })

  it('is not repeated after a change and a check that passed', () => {
    const since = [...editOf('e', 'src/lock.ts'), ...ran('t', 'npm test', 'Tests  3 passed (3)')]
    expect(reasonsAfter(FAULT, since)).not.toContain(FAULT)
  })

  it('is not solved by the word alone: a name that is resolved to a thing is still a fault', () => {
    const fault = 'The `session_id` is wrong, because the hook was resolved to `openStore` instead of its own session.'
    const passed = ran('t', 'npm test', 'Tests  3 passed (3)')
    expect(reasonsAfter(fault, LONG)).toContain(fault)
    expect(reasonsAfter(fault, [...editOf('e', 'src/lock.ts'), ...passed])).not.toContain(fault)
  })

  it('is not repeated if the thing that it names was changed', () => {
    expect(reasonsAfter(FAULT, editOf('e', 'src/store.ts', 'openStore'))).not.toContain(FAULT)
    const named = 'The problem is that `src/store.ts` takes the lock too late, because it waits.'
    expect(reasonsAfter(named, editOf('e', '/repo/src/store.ts'))).not.toContain(named)
  })

  it('is not repeated if an edit followed at once', () => {
    const items = viewOf(
      logOf([
        user('Fix it.'),
        assistant(FAULT),
        ...editOf('e', 'src/lock.ts'),
        assistant('It is done, as you asked me to.'),
      ]),
    ).items.slice()
    const text = digest({ items, index: mergeIndexes([factsIn(items)]), tokens: 2_000, estimator: charactersByFour })
    expect(text).not.toContain(FAULT)
  })
})

it('a finding is repeated until the thing that it names is changed', () => {
  const passed = ran('t', 'npm test', 'Tests  3 passed (3)')
  expect(reasonsAfter(FINDING, [...editOf('e', 'src/lock.ts'), ...passed])).toContain(FINDING)
  expect(reasonsAfter(FINDING, editOf('e', 'src/lease.ts', 'renewLease'))).not.toContain(FINDING)
})

it('a decision stays: the changes after it are what it explains', () => {
  const since = [...editOf('e', 'src/store.ts', 'openStore'), ...ran('t', 'npm test', 'Tests  3 passed (3)')]
  expect(reasonsAfter(DECISION, since)).toContain(DECISION)
})

it('what an earlier version stored as a reason is not repeated if it is talk or a guess', () => {
  const stored: StatementFact[] = [
    { kind: 'reason', seq: 2, text: 'I’m adding direct tests for `planRelay` instead of only relying on slow paths.' },
    { kind: 'reason', seq: 2, text: 'The root cause is likely that `openStore` runs before the lock is taken.' },
  ]
  expect(reasonsAfter(DECISION, [], stored).split('\n')).toHaveLength(1)
})
