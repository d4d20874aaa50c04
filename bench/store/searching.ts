/**
 * Searches over many entries, of each kind of query: this code and another copy of it, on the same database, in one run, with
 * the processor time of Node. On a busy machine only that means something. The first search of each kind is not counted.
 * `node bench/store/searching.ts [--beside FOLDER] [--postgres] [--quick] [--keep FILE.db]`
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { openStore, type Store } from '../../src/store/index.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { median } from '../harness/timing.ts'
import { MADE_UP_WORDS, searchedConversation } from '../speed/search-material.ts'

const { values } = parseArgs({
  options: {
    beside: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    /** Makes the database here if it is not there, and keeps it for the next run. */
    keep: { type: 'string' },
  },
})
const ENTRIES = values.quick ? 10_000 : 100_000
const PER_SESSION = 1_000
const ROUNDS = values.quick ? 3 : 7

const word = (rank: number) => MADE_UP_WORDS[rank] ?? ''
const QUERIES: readonly (readonly [name: string, text: string])[] = [
  ['a common word', word(5)],
  ['a rare word', word(20_000)],
  ['2 words', `${word(300)} ${word(2_000)}`],
  ['5 words', [50, 300, 2_000, 8_000, 20_000].map(word).join(' ')],
  ['10 common words', MADE_UP_WORDS.slice(0, 10).join(' ')],
  ['a phrase of common words', `"${word(0)} ${word(1)}"`],
  ['… that is nowhere', `"${word(0)} ${word(1)} ${word(2)} ${word(3)}"`],
  ['a phrase of one word', `"${word(40)}"`],
  ['stop words', 'to be or not to be'],
  ['stop words that are everywhere', 'the'],
  ['no hit: a letter is wrong', `${word(20_000).slice(0, -1)}x`],
  ['no hit: nothing is like it', 'zyxwvuts'],
]

const folder = mkdtempSync(join(tmpdir(), 'pith-bench-'))
const server = values.postgres ? await startPostgres() : undefined
try {
  const address = (await server?.url()) ?? values.keep ?? join(folder, 'pith.db')
  if (server !== undefined || !existsSync(address)) await fill(address)
  const stores: [string, Store][] = [['this code', await openStore(address)]]
  if (values.beside !== undefined) {
    const other = pathToFileURL(resolve(values.beside, 'src/store/index.ts')).href
    const { openStore: openOther }: { openStore: typeof openStore } = await import(other)
    stores.push(['beside', await openOther(address)])
  }
  for (const [name, text] of QUERIES) console.log(`${name.padEnd(32)} ${await measured(stores, text)}`)
  for (const [, store] of stores) await store.close()
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Appends all entries, and waits until they are indexed and the segments are merged. */
async function fill(address: string): Promise<void> {
  const store = await openStore(address)
  for (let seed = 1; seed <= ENTRIES / PER_SESSION; seed++) {
    const { id } = await store.createSession({ owner: 'bench', workspace: '/repo' })
    const messages = searchedConversation(PER_SESSION, seed)
    for (let from = 0; from < PER_SESSION; from += 250)
      await store.append(
        id,
        messages.slice(from, from + 250).map((message) => ({ type: 'message', message })),
      )
  }
  for (let used = Number.POSITIVE_INFINITY; used > 20; ) {
    const before = process.cpuUsage()
    await pause(3_000)
    const { user, system } = process.cpuUsage(before)
    const { waiting } = await store.search({ text: word(1), owner: 'bench' })
    used = waiting === undefined ? (user + system) / 1_000 : Number.POSITIVE_INFINITY
  }
  await store.close()
}

/** In turns, so that the noise of the machine affects all of them. */
async function measured(stores: readonly [string, Store][], text: string): Promise<string> {
  const times = stores.map(() => ({ wall: [] as number[], cpu: [] as number[], answer: '' }))
  for (let round = -1; round < ROUNDS; round++) {
    for (const [i, [, store]] of stores.entries()) {
      const [cpu, started] = [process.cpuUsage(), performance.now()]
      const { hits, total, nearest } = await store.search({ text, owner: 'bench' })
      const wall = performance.now() - started
      const { user, system } = process.cpuUsage(cpu)
      const time = times[i]
      if (time === undefined) continue
      time.answer = JSON.stringify([total, nearest, hits])
      if (round < 0) continue
      time.wall.push(wall)
      time.cpu.push((user + system) / 1_000)
    }
  }
  const shown = times.map(
    ({ wall, cpu }, i) =>
      `${stores[i]?.[0]}: CPU ${median(cpu).toFixed(0).padStart(4)} ms, wall ${median(wall).toFixed(0).padStart(5)} ms`,
  )
  const isSame = new Set(times.map(({ answer }) => answer)).size === 1
  return `${shown.join(' · ')}${stores.length === 1 ? '' : isSame ? ' · same answer' : ' · OTHER ANSWER'}`
}
