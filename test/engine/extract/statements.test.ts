import { expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { statementsIn } from '../../../src/engine/extract/statements.ts'
import type { Message } from '../../../src/model/types.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const onTheWay: Message = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'Let me look. I decided to cache `parse` instead of calling it for every line.' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a.ts' } },
  ],
}

it('the last word of a turn and the reasons on the way outlive it, each with its entry', () => {
  const log = logOf([
    user('Make it quick.'),
    onTheWay,
    result('a'),
    assistant('Done! The parser is four times as quick.'),
  ])
  expect(statementsIn(viewOf(log).items.slice())).toEqual([
    { kind: 'reason', seq: 2, text: 'I decided to cache `parse` instead of calling it for every line.' },
    { kind: 'answer', seq: 4, text: 'The parser is four times as quick.', asked: 1 },
  ])
})

it('an answer that is too long is quoted by its beginning, its findings and its end', () => {
  const filler = 'This line says little of anything at all here. '.repeat(60)
  const text = `The upload works again. ${filler}The root cause was the \`retry\` of the client. ${filler}Shall I commit it?`
  const log = logOf([user('Mend it.'), assistant(text)])
  const [answer] = statementsIn(viewOf(log).items.slice())
  expect(answer?.text).toBe(
    'The upload works again. … The root cause was the `retry` of the client. … Shall I commit it?',
  )
})

it('the short code of an answer is quoted as code, and long code is left out', () => {
  const long = Array.from({ length: 20 }, (_, i) => `const setting${i} = read('setting-${i}') ?? fallback${i}`).join(
    '\n',
  )
  const text = `Start it with this command.\n\n\`\`\`sh\nnpm run serve -- --port 3000\n\`\`\`\n\nIt reads these:\n\n\`\`\`ts\n${long}\n\`\`\`\n\nThe port is the only one that you must set.`
  const [answer] = statementsIn(viewOf(logOf([user('How do I start it?'), assistant(text)])).items.slice())
  expect(answer?.text).toBe(
    'Start it with this command. `npm run serve -- --port 3000`; It reads these: The port is the only one that you must set.',
  )
})

it('a turn that is not finished has no last word', () => {
  expect(statementsIn(viewOf(logOf([user('Make it quick.'), onTheWay, result('a')])).items.slice())).toHaveLength(1)
})

it('if the user typed while the agent worked, its last long text is its answer', () => {
  const said = `The lease belongs to the run and not to the suite, as \`renewLease\` knows only runs. ${'It names each of them. '.repeat(10)}`
  const working: Message = {
    role: 'assistant',
    content: [
      { type: 'text', text: said },
      { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: { path: 'b.ts' } },
    ],
  }
  const log = logOf([user('Whose is the lease?'), working, result('b'), user('And the lock?'), onTheWay, result('a')])
  expect(statementsIn(viewOf(log).items.slice()).map(({ kind, seq, asked }) => ({ kind, seq, asked }))).toEqual([
    { kind: 'answer', seq: 2, asked: 1 },
    { kind: 'reason', seq: 5, asked: undefined },
  ])
})

it('the report of another agent is marked as a report', () => {
  const report = `The lease is kept in \`leases.ts\` and lasts 60 s. ${'It is renewed by a timer of the server. '.repeat(8)}`
  const log = logOf([user('Where is it?'), call('t', 'Task', { prompt: 'look' }), result('t', report, 'Task')])
  const [statement] = statementsIn(viewOf(log).items.slice())
  expect(statement).toMatchObject({ kind: 'answer', seq: 3 })
  expect(statement?.text).toMatch(/^A sub-agent: The lease is kept in `leases.ts` and lasts 60 s\./)
})
