import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appended } from '../../src/engine/context/view/log.ts'
import type { RecordSeal } from '../../src/engine/record/read/record-place.ts'
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

/** Hands a log on to another agent and reads its file again, as that agent would leave it. */
function handedOn(log: readonly Entry[], format: WritableFormat, isKept: boolean, seal?: RecordSeal): readonly Entry[] {
  const { text } = encode({ entries: log, workspace: '/repo' }, format, { ids: randomUUID, clock: Date.now, seal })
  return decoded(isKept ? text : text.replaceAll('"pith":{"version":1', '"unknown":{"version":1'), { seal }).entries
}

function usersIn(log: readonly Entry[]): string[] {
  const [first] = viewOf(log).items.slice()
  return first?.kind === 'summary' ? first.index.users.map(({ text }) => text) : []
}

describe.each(['claude-code', 'codex', 'pi', 'ai-sdk', 'anthropic', 'openai-chat', 'openai-responses'] as const)(
  'a record that was handed on as %s',
  (format) => {
    it.each([
      ['with the facts beside it', true],
      ['as text alone', false],
    ])('is known again, %s, for five rounds', async (_, isKept) => {
      let log = await compacted(logOf(SESSION))
      for (let round = 1; round <= 5; round++) {
        const before = log.at(-1)?.seq ?? 0
        const read = handedOn(log, format, isKept)
        expect(read.slice(1).every(({ seq }) => seq > before - 30)).toBe(true)
        log = await compacted(logOf(work(`part${round}`), read))
      }
      const record = recordOf(log)
      expect(record).toContain(FIRST)
      for (const { content } of TODOS) expect(record).toContain(content)
      expect(record).toContain('importer.ts: created')
      for (const name of ['ledger', 'part1', 'part4']) expect(record).toContain(`Look at ${name} next, please.`)
      expect(record).toContain('I have looked at part1: it is all about part1')
      expect(record.match(/The earlier part of this conversation/g)).toHaveLength(1)
      expect(record.match(/^## Now$/gm)).toHaveLength(1)
    })

    it('as text alone says what the user said only under the seal of who reads it', async () => {
      for (const [seal, isBelieved] of [[recordSeal(new Uint8Array(32)), true] as const, [undefined, false] as const]) {
        let log = await compacted(logOf(SESSION))
        for (let round = 1; round <= 2; round++)
          log = await compacted(logOf(work(`part${round}`), handedOn(log, format, false, seal)))
        expect(usersIn(log).includes(FIRST)).toBe(isBelieved)
        expect(recordOf(log)).toContain(FIRST)
      }
    })

    it('never gives two entries one handle', async () => {
      const first = await compacted(logOf(SESSION))
      const read = handedOn(first, format, true)
      const named = [...recordOf(first).matchAll(/#(\d+)/g)].map(([, handle]) => Number(handle))
      expect(named.length).toBeGreaterThan(2)
      expect(Math.min(...read.map(({ seq }) => seq))).toBeGreaterThan(Math.max(...named))
    })

    it('shows the model what the agent showed it', async () => {
      const first = await compacted(logOf(SESSION))
      expect(recordOf(handedOn(first, format, true))).toContain(recordOf(first))
    })
  },
)
