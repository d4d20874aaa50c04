import { expect, test } from 'vitest'
import { cutsOf } from '../../bench/retention/cuts.ts'
import { compactedOver } from '../../bench/retention/drift.ts'
import { madeUpSession } from '../../bench/retention/made-up.ts'
import { batchedMasking, rollingMasking } from '../../bench/retention/methods/mask.ts'
import { pithDefault, pithFilled } from '../../bench/retention/methods/pith.ts'
import { truncation } from '../../bench/retention/methods/truncate.ts'
import { questionOf, scoreOf } from '../../bench/retention/score.ts'
import { tallyOf } from '../../bench/retention/tally.ts'
import { logOf, type Message, validate } from '../../src/engine.ts'
import { inventedIn } from '../../src/eval/probes/invented.ts'
import { keptIn } from '../../src/eval/probes/kept.ts'
import { shownBy } from '../../src/eval/probes/shown.ts'
import { askedFacts, type Fact, type FactKind } from '../../src/eval/truth/facts.ts'
import { toolSteps } from '../../src/eval/truth/steps.ts'

const ran = (id: string, command: string, value: string, failed = false): Message[] => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'Bash', input: { command } }] },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: id,
        toolName: 'Bash',
        output: { type: failed ? 'error-text' : 'text', value },
      },
    ],
  },
]

const touched = (id: string, toolName: string, path: string): Message[] => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName, input: { file_path: path } }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value: 'done' } }],
  },
]

const BEFORE: Message[] = [
  { role: 'user', content: 'Fix `loadInvoice`. You must never touch the schema. See https://example.org/issue/7.' },
  ...touched('a', 'Read', '/app/src/one.ts'),
  ...touched('b', 'Edit', '/app/src/two.ts'),
  ...ran('c', 'npm test', 'Exit code 1\nTypeError: loadInvoice is not a function', true),
  ...ran('d', 'npm test', '12 passed'),
  { role: 'assistant', content: 'Released as 1.2.3 in 0a1b2c3.' },
]
const AFTER: Message[] = [
  ...ran('e', 'grep -n loadInvoice src/two.ts', 'export function saveInvoice'),
  { role: 'assistant', content: 'saveInvoice and loadInvoice are there.' },
]

const CUT = {
  name: 'x',
  log: logOf(BEFORE),
  before: BEFORE,
  span: BEFORE.map((message, i) => ({ seq: i + 1, message })),
}
const facts = askedFacts({ ...CUT, after: AFTER })
const of = (kind: FactKind) => facts.filter((fact) => fact.kind === kind).map(({ text }) => text)

test('what was so is found in the messages: files, commands with their last end, errors, names, words of the user', () => {
  expect(of('edited file')).toEqual(['/app/src/two.ts'])
  expect(of('read file')).toEqual(['/app/src/one.ts'])
  expect(facts.find(({ kind }) => kind === 'command')).toMatchObject({ text: 'npm test', status: 'ok', was: 'failed' })
  expect(of('error line')).toEqual(['TypeError: loadInvoice is not a function'])
  expect(of('url')).toEqual(['https://example.org/issue/7'])
  expect(of('version')).toEqual(['1.2.3'])
  expect(of('hash')).toEqual(['0a1b2c3'])
  expect(of('constraint')).toEqual(['You must never touch the schema.'])
  expect(of('last request')).toHaveLength(1)
})

test('a name counts as used later only when nothing after the cut showed it first', () => {
  expect(of('used later').toSorted()).toEqual(['loadInvoice', 'two.ts'])
})

test('a text that has only the earlier end of a command is stale, one with the last end keeps it', () => {
  const command = facts.find(({ kind }) => kind === 'command') as Fact
  const kept = (text: string) => keptIn(shownBy([{ role: 'user', content: text }]), command, [])
  expect(kept('- `npm test` (exit 1)')).toBe('stale')
  expect(kept('- `npm test` (2 times, last ok)')).toBe('kept')
  expect(kept('- `npm test`\n- `npm run build` (ok)')).toBe('lost')
  expect(keptIn(shownBy(BEFORE), command, [])).toBe('kept')
})

test('a result belongs to the call before it, even if a published session has all ids alike', () => {
  const messages = [
    ...ran('REDACTED', 'npm test', '12 passed'),
    ...ran('REDACTED', 'npm run lint', 'Exit code 1', true),
  ]
  expect(toolSteps(messages).map(({ outcome }) => outcome)).toEqual(['ok', 'failed'])
})

test('the beginning that several long commands share is not asked about', () => {
  const long = `curl -sSL -H 'Accept: application/json' https://example.org/api/v2/projects/some/long/path`
  const span = [...ran('a', `${long}/1`, 'one'), ...ran('b', `${long}/2`, 'Exit code 1', true), ...ran('c', 'ls', 'x')]
  const cut = { name: 'x', log: logOf(span), before: span, span: span.map((message, i) => ({ seq: i + 1, message })) }
  const asked = askedFacts({ ...cut, after: [] }).filter(({ kind }) => kind === 'command')
  expect(asked.map(({ text }) => text)).toEqual(['ls'])
})

test('ten compactions on the way leave a context within the budget', async () => {
  const [, cut] = cutsOf(madeUpSession(1))
  if (cut === undefined) throw new Error('the made-up session has a second cut')
  const { messages, compactions } = await compactedOver(pithDefault, cut, 10)
  expect(compactions).toBeGreaterThan(4)
  expect(scoreOf(questionOf(cut), messages).tokens).toBeLessThanOrEqual(cut.tokens / 7.5)
})

test('a to-do is kept with the state that is shown last', () => {
  const todo: Fact = { kind: 'to-do', text: 'Ship it', seq: 1, age: 4, status: 'completed' }
  const kept = (text: string) => keptIn(shownBy([{ role: 'user', content: text }]), todo, [])
  expect(kept('- [ ] Ship it\n- [x] Ship it')).toBe('kept')
  expect(kept('- [ ] Ship it')).toBe('stale')
  expect(kept('nothing')).toBe('lost')
})

test('a name that several files have counts only with its folder', () => {
  const fact: Fact = { kind: 'read file', text: '/app/a/index.ts', seq: 1, age: 1 }
  const kept = (text: string) =>
    keptIn(shownBy([{ role: 'user', content: text }]), fact, ['/app/a/index.ts', '/app/b/index.ts'])
  expect(kept('read b/index.ts')).toBe('lost')
  expect(kept('- a/: index.ts')).toBe('kept')
})

test('a file, a URL or a hash that the source has nowhere is invented', () => {
  const context: Message[] = [{ role: 'user', content: 'see src/two.ts, lib/three.ts and https://example.org/other' }]
  expect(inventedIn(context, 'src/two.ts').invented).toEqual(['lib/three.ts', 'https://example.org/other'])
})

test('every method leaves a context that a provider takes and that is within the budget', async () => {
  const [, cut] = cutsOf(madeUpSession(1))
  if (cut === undefined) throw new Error('the made-up session has a second cut')
  const question = questionOf(cut)
  for (const method of [pithDefault, pithFilled, truncation, rollingMasking, batchedMasking]) {
    const made = await method.run(cut, 16_000)
    expect(made.ok, method.name).toBe(true)
    if (!made.ok) continue
    expect(scoreOf(question, made.messages).tokens, method.name).toBeLessThanOrEqual(16_000)
    const problems = validate(made.messages).filter(({ rule }) => rule !== 'first-message')
    expect(problems, method.name).toEqual([])
  }
})

test('the whole conversation keeps every fact, an empty one none', () => {
  const [cut] = cutsOf(madeUpSession(2))
  if (cut === undefined) throw new Error('the made-up session has a cut')
  const question = questionOf(cut)
  expect(tallyOf([scoreOf(question, cut.before)]).mean()).toBe(100)
  expect(tallyOf([scoreOf(question, [])]).mean()).toBe(0)
})
