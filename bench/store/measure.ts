/**
 * Stored sessions against the physical limits, as ratios in one run: opening a compacted session of 100,000 entries
 * against parsing the same log as JSON Lines, a durable append against a bare fdatasync of the same bytes, a whole
 * compaction with an instant model over HTTP against the bare call. `npm run bench:store`
 */
import { execFileSync } from 'node:child_process'
import { closeSync, createWriteStream, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntryDraft, SummaryModel } from '../../src/index.ts'
import { compactSession, exportSession } from '../../src/session/index.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { message } from '../message.ts'

const ENTRIES = process.argv.includes('--quick') ? 10_000 : 100_000
const model = { contextWindow: 200_000 }
const folder = mkdtempSync(join(tmpdir(), 'pith-bench-'))
const path = join(folder, 'pith.db')
const lines = join(folder, 'log.jsonl')

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.end('## Goal\nTo go on.\n\n## Next\nThe next thing.'))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
let sent = 0
const instant: SummaryModel = {
  name: 'bench/instant',
  window: 1_000_000,
  async *stream(request, signal) {
    const body = JSON.stringify(request)
    sent = body.length
    yield await (await fetch(url, { method: 'POST', body, signal })).text()
  },
}

try {
  const store = await openStore(path)
  const id = await fill(store)
  await writeLines(store, id)
  await store.close()
  opening(id)
  await appending()
  await compacting(id)
} finally {
  server.close()
  rmSync(folder, { recursive: true, force: true })
}

async function fill(store: Store): Promise<string> {
  const { id } = await store.createSession({ owner: 'bench', workspace: '/repo' })
  const batch = 500
  for (let from = 0; from < ENTRIES; from += batch) {
    await store.append(
      id,
      Array.from({ length: batch }, (_, i) => draft(from + i)),
    )
    if ((from / batch) % 4 === 3)
      await compactSession(store, id, { holder: 'bench', model, summaryModels: [instant], reason: 'manual' })
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

/** Each in a process of its own, several times, so that time and peak memory are its own; the package as it is built. */
function opening(id: string): void {
  const child = (code: string) =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', cwd: process.cwd() }),
    ) as { ms: number; mb: number; count: number }
  const runs = (code: string) => {
    const all = Array.from({ length: 7 }, () => child(code))
    const [first] = all
    return { ms: median(all.map(({ ms }) => ms)), mb: median(all.map(({ mb }) => mb)), count: first?.count ?? 0 }
  }
  const report = (count: string) =>
    `console.log(JSON.stringify({ ms: performance.now() - start, mb: process.resourceUsage().maxRSS / 1024, count: ${count} }))`
  execFileSync(process.execPath, ['scripts/build.mjs'])
  const built = new URL('../../dist/', import.meta.url).href
  // Loading a program is no part of opening a session.
  const ours = runs(
    `const { openStore } = await import('${built}store/index.js'); await import('${built}store/sqlite.js'); const { openSession } = await import('${built}session/open-session.js'); const start = performance.now(); const store = await openStore(${JSON.stringify(path)}); const { view } = await openSession(store, ${JSON.stringify(id)}); ${report('view.items.length')}; await store.close()`,
  )
  const theirs = runs(
    `import { readFileSync } from 'node:fs'; const start = performance.now(); const log = readFileSync(${JSON.stringify(lines)}, 'utf8').split('\\n').filter(Boolean).map((line) => JSON.parse(line)); ${report('log.length')}`,
  )
  console.log(
    `open a session of ${theirs.count - 1} entries (${ours.count} in its view): ${ours.ms.toFixed(1)} ms, ${ours.mb.toFixed(0)} MB peak`,
  )
  console.log(
    `  JSON.parse of the same log as JSON Lines: ${theirs.ms.toFixed(0)} ms, ${theirs.mb.toFixed(0)} MB → ${(theirs.ms / ours.ms).toFixed(1)} times faster`,
  )
}

async function appending(): Promise<void> {
  const store = await openStore(join(folder, 'append.db'))
  const { id } = await store.createSession({ owner: 'bench', workspace: '/repo' })
  const file = openSync(join(folder, 'bare'), 'a')
  const ours: number[] = []
  const bare: number[] = []
  for (let i = 0; i < 400; i++) {
    const bytes = JSON.stringify(draft(i))
    let start = performance.now()
    await store.append(id, [draft(i)])
    ours.push(performance.now() - start)
    start = performance.now()
    writeSync(file, bytes)
    fdatasyncSync(file)
    bare.push(performance.now() - start)
  }
  closeSync(file)
  await store.close()
  console.log(
    `durable append: ${median(ours).toFixed(3)} ms, bare fdatasync of the same bytes ${median(bare).toFixed(3)} ms → ${(median(ours) / median(bare)).toFixed(2)} times`,
  )
}

/** The bare call sends as many bytes, one after the other, as the compaction did. */
async function compacting(id: string): Promise<void> {
  const store = await openStore(path)
  const ours: number[] = []
  const bare: number[] = []
  for (let from = ENTRIES; from < ENTRIES + 7_000; from += 1_000) {
    await store.append(
      id,
      Array.from({ length: 1_000 }, (_, i) => draft(from + i)),
    )
    const input = { holder: 'bench', model, summaryModels: [instant], reason: 'manual' as const }
    ours.push(await timed(async () => void (await compactSession(store, id, input))))
    const body = 'x'.repeat(sent)
    bare.push(await timed(async () => void (await (await fetch(url, { method: 'POST', body })).text())))
  }
  await store.close()
  console.log(
    `a whole compaction of 1,000 messages (${sent} bytes sent): ${median(ours).toFixed(1)} ms, the bare call ${median(bare).toFixed(1)} ms → ${(median(ours) / median(bare)).toFixed(2)} times`,
  )
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

function draft(i: number): EntryDraft {
  return { type: 'message', message: message(i) }
}
