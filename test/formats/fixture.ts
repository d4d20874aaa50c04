import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compact, type Entry } from '../../src/engine.ts'
import { type DecodedSession, type DecodeOptions, decodeText, type WriteDeps } from '../../src/formats/index.ts'
import type { Message } from '../../src/model/types.ts'

/** The folder of sessions that we made up. */
export const FIXTURES = join(import.meta.dirname, '../fixtures/formats')

/** The text of a small session that we made up in the shape of an agent's. */
export function fixture(name: string): string {
  return readFileSync(join(FIXTURES, name), 'utf8')
}

/** A session that is expected to be readable. */
export function decoded(text: string, options?: DecodeOptions): DecodedSession {
  const result = decodeText(text, options)
  if (!result.ok) throw new Error(`${result.reason}: ${result.text}`)
  return result.session
}

/** The request and the answer of every fixture: the same work in each agent's words. */
export const ASKED = 'Make the server listen on port 8081. Never touch src/legacy.ts.'
export const ANSWERED = 'The server listens on port 8081 now; one test still expects 8080.'

/** Ids and a clock that give the same on every run. */
export function fixedDeps(): WriteDeps {
  let next = 0
  return {
    ids: () => `00000000-0000-4000-8000-${String(++next).padStart(12, '0')}`,
    clock: () => Date.parse('2026-03-02T08:00:00Z'),
  }
}

/** The session many times over, compacted without a model so that a tail of it stays. */
export async function compacted(name: string): Promise<DecodedSession> {
  const session = decoded(fixture(name))
  const pad = Array.from({ length: 40 }, (_, i): Message[] => [
    { role: 'user', content: `Step ${i}: look at part ${i} of the report. ${'word '.repeat(200)}` },
    { role: 'assistant', content: [{ type: 'text', text: `Part ${i} is in order. ${'word '.repeat(200)}` }] },
  ]).flat()
  const first = session.entries.length
  const padded = pad.map(
    (message, i): Entry => ({ id: `p${i}`, seq: first + i + 1, at: 1_772_359_300_000 + i, type: 'message', message }),
  )
  const said = session.entries.map((entry, i) => ({ ...entry, id: `q${i}`, seq: first + pad.length + i + 1 }))
  const log: Entry[] = [...session.entries, ...padded, ...said]
  const result = await compact({ log, model: { contextWindow: 16_000 } })
  if (result.outcome !== 'compacted') throw new Error(`${name} was not compacted: ${result.outcome}`)
  return { ...session, entries: [...log, ...result.entries] }
}
