import { expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { type Message, textOf } from '../../../src/model/types.ts'
import { assistant, call, result, turns, user } from '../../support/messages.ts'

const edit = (id: string, path: string, before: string, after: string) => [
  call(id, 'edit', { path, edits: [{ oldText: before, newText: after }] }),
  result(id, 'ok', 'edit'),
]
const ran = (id: string, command: string, output: string) => [call(id, 'bash', { command }), result(id, output, 'bash')]

/** Each message has a word of its own that no other one has: `secret` and two letters. */
const SAID: Message[] = [
  user('Make the parser quick, as secretAa says.'),
  assistant('The parser of secretAb reads every file of the project twice.'),
  user('Never touch the folder of secretAc.'),
  ...Array.from({ length: 9 }, (_, i) =>
    edit(`e${i}`, 'src/parse.ts', `function old${i}() { return 1 }`, `function secretE${i}() { return ${i} }`),
  ).flat(),
  ...ran('a', 'node secretAd.js', 'Error: secretAe is not a table\nexit code: 1'),
  ...edit('f', 'src/secretAf.ts', 'a', 'b'),
  ...ran('b', 'npm test -- secretAg', 'FAIL secretAh\nexit code: 1'),
  ...ran('c', 'npm test -- secretAg', 'ok\nexit code: 0'),
  ...ran('d', 'go test ./secretAi', 'boom of secretAj\nexit code: 1'),
  ...ran('g', 'go vet ./... && go test ./... -run secretAk', 'ok\nexit code: 0'),
  ...ran('h', 'git commit -am "Add secretAl"', '[main 1234abc] Add secretAl\nexit code: 0'),
  call('t', 'TodoWrite', { todos: [{ content: 'measure secretAm', status: 'pending' }] }),
  result('t', 'ok', 'TodoWrite'),
  call('r', 'read', { path: 'AGENTS.md' }),
  result('r', 'Always use secretAn.', 'read'),
  call('s', 'read', { path: 'src/secretAo.ts' }),
  result('s', 'const port = 5432 // secretAp', 'read'),
  ...ran('i', 'curl http://localhost:3000/secretAq', 'Error: refused by secretAr\nexit code: 7'),
  call('q', 'AskUserQuestion', { questions: [{ question: 'Which port, secretAs?' }] }),
  result('q', 'User has answered your questions: "Which port, secretAs?"="8443 of secretAt".', 'AskUserQuestion'),
  assistant('It is done: secretAu prints. Shall I commit it?'),
  user('Yes, and then secretAv.'),
]
const LOG = logOf([...SAID, ...turns(12, 900)])

it('a record says nothing of an entry that is redacted, and what it says of the others stays', async () => {
  const done = await compact({ log: LOG, model: { contextWindow: 16_000 } })
  const entry = done.compacted ? done.entries.find(({ type }) => type === 'compaction') : undefined
  if (entry === undefined) throw new Error('nothing was compacted')
  const log = [...LOG, entry]
  const recordIn = (some: typeof log) => textOf(viewOf(some).items.at(0)?.message ?? user(''))
  const secretsIn = (text: string) => new Set(text.match(/secret(?:A[a-z]|E\d)/g))
  const whole = secretsIn(recordIn(log))
  expect(whole.size).toBeGreaterThan(24)
  for (const { seq, type, ...said } of LOG.slice(0, SAID.length)) {
    const left = secretsIn(recordIn(appended(log, [{ type: 'redact', target: seq }])))
    const own = secretsIn(JSON.stringify(said))
    const others = secretsIn(JSON.stringify(LOG.filter((one) => one.seq !== seq)))
    for (const word of own) if (!others.has(word)) expect([...left], `#${seq} has ${word}`).not.toContain(word)
    expect(left.size, `without #${seq}: ${[...whole].filter((word) => !left.has(word))}`).toBeGreaterThan(
      whole.size / 2,
    )
  }
})
