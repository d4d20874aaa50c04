import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appended } from '../../src/engine/context/view/log.ts'
import { PLAIN_RECORD_AUTHOR, type RecordSeal } from '../../src/engine/record/record-place.ts'
import { compact, type Entry, viewOf } from '../../src/engine.ts'
import { encode, type WritableFormat } from '../../src/formats/index.ts'
import { recordSeal } from '../../src/gateway/records/seal.ts'
import { type Message, textOf } from '../../src/model/types.ts'
import { assistant, call, result, user } from '../support/messages.ts'
import { decoded } from './fixture.ts'

const FIRST = 'Build the importer for the billing service. Never touch the production database.'
const TODOS = [
  { content: 'map the currencies', status: 'in_progress' },
  { content: 'write the migration', status: 'pending' },
]

/** Work that has something of everything, and enough of it to be compacted. */
function work(name: string): Message[] {
  return [
    user(`Look at ${name} next, please.`),
    ...Array.from({ length: 12 }, (_, i) => [
      call(`${name}-${i}`, 'Read', { file_path: `/repo/src/${name}-${i}.ts` }),
      result(`${name}-${i}`, `${name} ${i} `.repeat(900), 'Read'),
    ]).flat(),
    assistant(`I have looked at ${name}: it is all about ${name}, and nothing in it is broken any more.`),
  ]
}

const SESSION = [
  user(FIRST),
  call('edit', 'Write', { file_path: '/repo/src/importer.ts', content: 'export function importBills() {}' }),
  result('edit', 'File created successfully at: /repo/src/importer.ts', 'Write'),
  call('todo', 'TodoWrite', { todos: TODOS }),
  result('todo', 'Todos have been modified successfully.', 'TodoWrite'),
  ...work('ledger'),
]

function logOf(messages: readonly Message[], log: readonly Entry[] = []): readonly Entry[] {
  return appended(
    log,
    messages.map((message) => ({ type: 'message' as const, message })),
    { clock: () => Date.UTC(2026, 10, 15) },
  )
}

async function compacted(log: readonly Entry[]): Promise<readonly Entry[]> {
  const { entries } = await compact({ log, model: { contextWindow: 200_000 }, reason: 'manual', policy: SMALL })
  return [...log, ...entries]
}

const SMALL = { keepTokens: 1_000 }

function recordOf(log: readonly Entry[]): string {
  const [first] = viewOf(log).items.slice()
  return first?.kind === 'summary' ? textOf(first.message) : ''
}

/** How a record comes back: its facts as data beside it, or as text alone. */
type Carried = 'with data' | 'as text'

/** Hands a log on to another agent and reads its file again, as that agent would leave it. */
function handedOn(log: readonly Entry[], format: WritableFormat, how: Carried, seal?: RecordSeal): readonly Entry[] {
  const { text } = encode({ entries: log, workspace: '/repo' }, format, { ids: randomUUID, clock: Date.now, seal })
  return decoded(how === 'with data' ? text : text.replaceAll('"pith":{"version":1', '"unknown":{"version":1')).entries
}

/** Five more rounds, in each of which the session is handed on, worked in, and compacted. */
async function handedOnAgainAndAgain(format: WritableFormat, how: Carried): Promise<readonly Entry[]> {
  let log = await compacted(logOf(SESSION))
  for (let round = 1; round <= 5; round++) {
    const read = handedOn(log, format, how)
    const last = Math.max(...handlesIn(recordOf(log)))
    expect(read.every(({ seq }) => seq > last)).toBe(true)
    log = await compacted(logOf(work(`part${round}`), read))
  }
  return log
}

/** Checks all that the record of such a session says, in whatever way it was carried. */
function expectAllOf(record: string): void {
  expect(record).toContain(FIRST)
  for (const { content } of TODOS) expect(record).toContain(content)
  expect(record).toContain('importer.ts: created')
  for (const name of ['ledger', 'part1', 'part4']) expect(record).toContain(`Look at ${name} next, please.`)
  expect(record).toContain('I have looked at part1: it is all about part1')
  expect(record.match(/The earlier part of this conversation/g)).toHaveLength(1)
}

function handlesIn(record: string): number[] {
  return [...record.matchAll(/#(\d+)/g)].map(([, handle]) => Number(handle))
}

/** The record that a log begins with, as its entry. */
function openingOf(log: readonly Entry[]) {
  const entry = log.find(({ type }) => type === 'compaction')
  return entry?.type === 'compaction' ? entry : undefined
}

function usersIn(log: readonly Entry[]): string[] {
  const [first] = viewOf(log).items.slice()
  return first?.kind === 'summary' ? first.index.users.map(({ text }) => text) : []
}

const SEAL = recordSeal(new Uint8Array(32))

/** The formats whose files have a field for the facts, and the lists of messages, which have none. */
const WITH_DATA = ['claude-code', 'codex', 'pi'] as const
const LISTS = ['ai-sdk', 'anthropic', 'openai-chat', 'openai-responses'] as const

describe.each(WITH_DATA)('a record that was handed on as %s, with its data', (format) => {
  it('is known again for five rounds', async () => {
    const log = await handedOnAgainAndAgain(format, 'with data')
    const record = recordOf(log)
    expectAllOf(record)
    expect(record.match(/^## Now$/gm)).toHaveLength(1)
    expect(usersIn(log)).toContain(FIRST)
  })

  it('has its facts from the data, with a seal and without one', async () => {
    const first = await compacted(logOf(SESSION))
    for (const seal of [SEAL, undefined]) {
      const opening = openingOf(handedOn(first, format, 'with data', seal))
      expect(opening).not.toHaveProperty('by')
      expect(opening?.indexDelta).toMatchObject({
        users: [{ seq: 1, text: FIRST }],
        todos: [{ items: TODOS.map(({ content: text }) => ({ text })) }],
      })
      expect(opening?.indexDelta.files).toContainEqual(
        expect.objectContaining({ path: '/repo/src/importer.ts', created: 2 }),
      )
    }
  })

  it('never gives two entries one handle', async () => {
    const first = await compacted(logOf(SESSION))
    const last = Math.max(...first.map(({ seq }) => seq))
    expect(handedOn(first, format, 'with data').every(({ seq }) => seq > last)).toBe(true)
  })

  it('shows the model what the agent showed it', async () => {
    const first = await compacted(logOf(SESSION))
    expect(recordOf(handedOn(first, format, 'with data'))).toContain(recordOf(first))
  })
})

describe.each([...WITH_DATA, ...LISTS])('a record that was handed on as %s, as text alone', (format) => {
  it('keeps its words for five rounds', async () => {
    expectAllOf(recordOf(await handedOnAgainAndAgain(format, 'as text')))
  })

  it('is text of ours, and no facts are read from it, with a seal or without one', async () => {
    const first = await compacted(logOf(SESSION))
    for (const seal of [SEAL, undefined]) {
      const read = handedOn(first, format, 'as text', seal)
      const opening = openingOf(read)
      expect(opening).toMatchObject({ by: PLAIN_RECORD_AUTHOR })
      expect(opening?.summary).toContain(recordOf(first))
      expect(Object.values(opening?.indexDelta ?? {}).flat()).toEqual([])
      expect(usersIn(read)).toEqual([])
    }
  })

  it('never says what the user said', async () => {
    let log = await compacted(logOf(SESSION))
    for (let round = 1; round <= 2; round++)
      log = await compacted(logOf(work(`part${round}`), handedOn(log, format, 'as text', SEAL)))
    expect(usersIn(log)).not.toContain(FIRST)
    const record = recordOf(log)
    expect(record).toContain(FIRST)
    expect(record.indexOf(FIRST)).toBeGreaterThan(record.indexOf(`\n${PLAIN_RECORD_AUTHOR} wrote this summary`))
  })

  it('never gives two entries one handle', async () => {
    const first = await compacted(logOf(SESSION))
    const named = handlesIn(recordOf(first))
    expect(named.length).toBeGreaterThan(1)
    const last = Math.max(...named)
    expect(handedOn(first, format, 'as text').every(({ seq }) => seq > last)).toBe(true)
  })

  it('shows the model what the agent showed it', async () => {
    const first = await compacted(logOf(SESSION))
    expect(recordOf(handedOn(first, format, 'as text'))).toContain(recordOf(first))
  })
})
