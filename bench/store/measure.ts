/**
 * Stored sessions against the physical limits, as ratios in one run: opening a compacted session of 100,000 entries
 * against parsing the same log as JSON Lines, a durable append against a bare fdatasync of the same bytes, a whole
 * compaction with an instant model over HTTP against the bare call. README.md in this folder explains the rest.
 * `npm run bench:store [-- --quick]`
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntryDraft, SummaryModel } from '../../src/engine.ts'
import { compactSession, exportSession } from '../../src/session/index.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { startInstantModel } from '../harness/instant-model.ts'
import { message } from '../message.ts'
import { appending } from './appending.ts'
import { askedModel } from './asked-model.ts'
import { compacting } from './compacting.ts'
import { opening } from './opening.ts'

const ENTRIES = process.argv.includes('--quick') ? 10_000 : 100_000
const folder = mkdtempSync(join(tmpdir(), 'pith-bench-'))
const path = join(folder, 'pith.db')
const lines = join(folder, 'log.jsonl')
const server = await startInstantModel()
const asked = askedModel(server.url)

try {
  const store = await openStore(path)
  const id = await fill(store, asked.model)
  await writeLines(store, id)
  await store.close()
  opening({ path, lines, id })
  await appending(folder)
  await compacting(path, id, asked, server)
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}

async function fill(store: Store, model: SummaryModel): Promise<string> {
  const { id } = await store.createSession({ owner: 'bench', workspace: '/repo' })
  const batch = 500
  const input = {
    holder: 'bench',
    model: { contextWindow: 200_000 },
    summaryModels: [model],
    reason: 'manual' as const,
  }
  for (let from = 0; from < ENTRIES; from += batch) {
    const drafts = Array.from(
      { length: batch },
      (_, i): EntryDraft => ({ type: 'message', message: message(from + i) }),
    )
    await store.append(id, drafts)
    if ((from / batch) % 4 === 3) await compactSession(store, id, input)
    if (from % 10_000 === 0) process.stderr.write(`\rfilling: ${from} of ${ENTRIES} entries`)
  }
  process.stderr.write('\r')
  return id
}

async function writeLines(store: Store, id: string): Promise<void> {
  const out = createWriteStream(lines)
  for await (const line of exportSession(store, id))
    if (!out.write(`${line}\n`)) await new Promise<void>((resolve) => out.once('drain', resolve))
  await new Promise<void>((resolve) => out.end(resolve))
}
