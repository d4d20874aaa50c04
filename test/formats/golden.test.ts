import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DecodedSession, encode, formatNamed, WRITABLE_FORMATS } from '../../src/formats/index.ts'
import type { Entry } from '../../src/model/types.ts'
import { decoded, FIXTURES, fixedDeps, fixture } from './fixture.ts'

// After a change that is meant: `npm test -- test/formats/golden.test.ts -u`, and look at what changed.
const GOLDEN = join(FIXTURES, '..', 'golden')

describe('a made-up session', () => {
  it.each(readdirSync(FIXTURES))('%s is read into the recorded log', async (name) => {
    await expect(recordOf(decoded(fixture(name)))).toMatchFileSnapshot(join(GOLDEN, 'read', `${name}.txt`))
  })

  const SOURCES = ['claude-code-compacted.jsonl', 'claude-code-kinds.jsonl', 'codex-kinds.jsonl', 'ai-sdk-kinds.json']
  const written = SOURCES.flatMap((name) => WRITABLE_FORMATS.map((format) => [name, format] as const))

  it.each(written)('%s is written for %s as recorded', async (name, format) => {
    const session = decoded(fixture(name))
    const { text, ...file } = encode({ ...session, entries: session.entries.map(withoutFacts) }, format, fixedDeps())
    const { sessionId, place } = file
    const { resume: rules, advice } = formatNamed(format)
    const resume = rules?.command({ sessionId, path: place }) ?? advice?.(place)
    const record = `${JSON.stringify({ ...file, resume })}\n${text}`
    await expect(record).toMatchFileSnapshot(join(GOLDEN, 'written', `${name}-${format}.txt`))
  })
})

/** A session as text: its facts, then its entries and those of its sidechains, one a line. */
function recordOf({ entries, sidechains, ...session }: DecodedSession): string {
  const rows = [
    session,
    ...entries.map(withoutFacts),
    ...sidechains.map((side) => ({ ...side, entries: side.entries.map(withoutFacts) })),
  ]
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

/** The facts of what a compaction replaced are the engine's. */
function withoutFacts(entry: Entry): Entry {
  return entry.type === 'compaction' ? { ...entry, indexDelta: {} } : entry
}
