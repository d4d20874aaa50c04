import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { appended } from '../../../src/engine/context/view/log.ts'
import type { CompactResult } from '../../../src/model/compact-result.ts'
import type { Entry, Message, SummaryModel } from '../../../src/model/types.ts'
import { charactersByFour } from '../../../src/tokens/estimate/estimator.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const ROUNDS = 10
const FIRST =
  'Build me a parser for the log files of our three servers, in TypeScript.\nThe grammar is in docs/grammar.md.'
const estimator = charactersByFour

describe('ten compactions in a row', () => {
  it.each<[string, () => readonly SummaryModel[]]>([
    ['a good model', () => [carefulModel()]],
    ['no model', () => []],
  ])('with %s keep what the user demanded, the files and the last to-do list exactly', async (_, models) => {
    const summaryModels = models()
    let log: readonly Entry[] = said([user(FIRST), assistant('I read the grammar first.')])
    for (let round = 1; round <= ROUNDS; round++) {
      log = said(roundOf(round), log)
      const done = await compact({ log, summaryModels, estimator, model: { contextWindow: 60_000 }, policy: TAIL })
      expect(done, done.reason).toMatchObject({ compacted: true, rung: summaryModels.length === 0 ? 'digest' : 'cold' })
      log = [...log, ...done.entries]
      const record = recordOf(done)
      const past = Array.from({ length: round }, (_, i) => i + 1)
      expect(section(record, 'Now')).toContain(FIRST)
      for (const one of past) {
        expect(section(record, 'Now')).toContain(constraint(one))
        expect(section(record, 'Now')).toContain(request(one))
        expect(record).toContain(`closed round ${one}.`)
      }
      expect(done.modifiedFiles.toSorted()).toEqual(past.flatMap(modified).toSorted())
      for (const path of past.flatMap(modified)) expect(filesIn(section(record, 'What has changed'))).toContain(path)
      expect(filesIn(section(record, 'What has changed'))).toHaveLength(past.length * 2)
      expect(part(record, 'To-dos as last written')).toEqual([
        `- [~] write round ${round}`,
        `- [ ] test round ${round}`,
        '- [x] 1 done',
        `- [x] measure round ${round}`,
      ])
      expect(part(record, 'Checks, the last run of each').join()).toMatch(/^- tests `npm test` /)
    }
  })

  it('without a model and with little room say how much they have left out', async () => {
    let log: readonly Entry[] = said([user(FIRST), assistant('I read the grammar first.')])
    for (let round = 1; round <= ROUNDS; round++) {
      log = said(
        [1, 2, 3, 4].flatMap((part) => roundOf(round * 10 + part)),
        log,
      )
      const done = await compact({ log, estimator, model: { contextWindow: 8_000 }, policy: TAIL })
      expect(done, done.reason).toMatchObject({ compacted: true, rung: 'digest' })
      log = [...log, ...done.entries]
      const record = recordOf(done)
      expect(record).toContain(FIRST)
      expect(record).toContain(constraint(round * 10 + 4))
      const listed = record.match(/^(?:- )?#\d+ .*(?:round|thanks)/gm) ?? []
      const left = Number(/\(and (\d+) older messages of the user/.exec(record)?.[1] ?? 0)
      expect(listed.length + left, `round ${round}`).toBeGreaterThanOrEqual(round * 8)
    }
  })
})

describe('a step that was pinned through a compaction', () => {
  it('does not make an older to-do list or run the last one when it is compacted later', async () => {
    const list = (id: string, text: string) => [call(id, 'todo', { items: [{ content: text }] }), result(id)]
    const test = (id: string, exit: number) => [
      call(id, 'bash', { command: 'npm test' }),
      result(id, `done\nexit code: ${exit}`, 'bash'),
    ]
    const input = { estimator, model: { contextWindow: 60_000 }, policy: TAIL }
    let log = said([user(FIRST), ...list('old', 'the old plan'), ...test('red', 1)])
    log = appended(
      log,
      [2, 4].map((target) => ({ type: 'pin', target, on: true })),
    )
    log = said([...list('new', 'the new plan'), ...test('green', 0), ...roundTalk(1), ...roundTalk(2)], log)
    const first = await compact({ ...input, log })
    expect(first).toMatchObject({ compacted: true })
    log = appended(
      [...log, ...first.entries],
      [2, 4].map((target) => ({ type: 'pin', target, on: false })),
    )
    log = said([...roundTalk(3), ...roundTalk(4)], log)
    const second = await compact({ ...input, log })
    expect(second).toMatchObject({ compacted: true })
    expect(part(recordOf(second), 'To-dos as last written')).toEqual(['- [ ] the new plan'])
    expect(recordOf(second)).not.toContain('### Failing')
  })
})

/** A short tail: what was said is in the record soon. */
const TAIL = { keepTokens: 60 }

function roundOf(round: number): Message[] {
  const [one = '', two = ''] = modified(round)
  const test = call(`test-${round}`, 'bash', { command: 'npm test' })
  return [
    user(request(round)),
    call(`todo-${round}`, 'TodoWrite', { todos: todos(round) }),
    result(`todo-${round}`, 'ok', 'TodoWrite'),
    call(`read-${round}`, 'read', { path: `docs/round-${round}.md` }),
    result(`read-${round}`, `A line in the notes of round ${round}.\n`.repeat(200)),
    call(`edit-${round}`, 'edit', { path: one, old: 'a', new: 'b' }),
    result(`edit-${round}`, 'ok', 'edit'),
    call(`sed-${round}`, 'bash', { command: `sed -i s/a/b/ ${two}` }),
    result(`sed-${round}`, '', 'bash'),
    test,
    result(`test-${round}`, `${round} passed`, 'bash'),
    assistant(`I decided to close round ${round} with a cache because the parser was slow. I closed round ${round}.`),
    ...roundTalk(round),
  ]
}

function roundTalk(round: number): Message[] {
  return [user(`thanks, and what about ${round}?`), assistant(`All is well with ${round}. `.repeat(150))]
}

function request(round: number): string {
  return `Now do round ${round} with the files of server ${round}. ${constraint(round)}`
}

function constraint(round: number): string {
  return `Never touch the table t_${round} without a backup.`
}

function modified(round: number): string[] {
  return [`src/round-${round}/parser.ts`, `lib/file-${round}.ts`]
}

function todos(round: number) {
  return [
    { content: `measure round ${round}`, status: 'completed' },
    { content: `write round ${round}`, status: 'in_progress' },
    { content: `test round ${round}`, status: 'pending' },
  ]
}

/** A model that repeats everything in the earlier summary, and adds what is new. */
function carefulModel(): SummaryModel {
  return {
    name: 'test/careful',
    async *stream({ messages }) {
      const text = messages.map(({ content }) => content).join('\n')
      const rounds = new Set([...text.matchAll(/closed round (\d+)\./g)].map(([, round]) => round))
      yield `## Goal\nA parser: lib/file-1.ts and what belongs to it.\n\n## Done\n${[...rounds].map((round) => `- It closed round ${round}. See lib/file-${round}.ts.`).join('\n')}`
    },
  }
}

function said(messages: readonly Message[], log: readonly Entry[] = []): Entry[] {
  return appended(
    log,
    messages.map((message) => ({ type: 'message', message })),
  )
}

function recordOf(done: CompactResult): string {
  return String(done.messages[0]?.content)
}

/** The lines under a heading, up to the next one or the mark that ends the record. */
function section(text: string, title: string): string {
  const [, behind = ''] = text.split(`## ${title}\n`)
  return behind.split(/\n\n## |\n<\/record-/)[0]?.trim() ?? ''
}

/** The lines under a heading inside a section. */
function part(text: string, heading: string): string[] {
  const [, behind = ''] = text.split(`### ${heading}\n`)
  return (behind.split(/\n+##|\n<\/record-/)[0] ?? '').split('\n')
}

/** The paths in a ledger. */
function filesIn(list: string): string[] {
  return [...list.matchAll(/^- (\S+): /gm)].map(([, path]) => path ?? '')
}
