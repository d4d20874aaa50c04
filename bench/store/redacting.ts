import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/store/index.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { median } from '../harness/timing.ts'
import { message } from '../message.ts'

const SIZES = [5_000, 20_000]
const REDACTIONS = 200
const AT_ONCE = 500

/** Measures one call with one entry, in a session of either size: node bench/store/redacting.ts */
async function redacting(name: string, where: string): Promise<void> {
  const store = await openStore(where)
  const medians: number[] = []
  for (const size of SIZES) {
    const { id } = await store.createSession({ owner: 'bench', workspace: '/' })
    for (let appended = 0; appended < size; appended += AT_ONCE) {
      const messages = Array.from({ length: AT_ONCE }, (_, i) => message(appended + i))
      await store.append(
        id,
        messages.map((each) => ({ type: 'message', message: each })),
      )
    }
    const times: number[] = []
    const cpu = process.cpuUsage()
    for (let i = 0; i < REDACTIONS; i++) {
      const start = performance.now()
      await store.redact(id, [1 + Math.floor((i * size) / REDACTIONS)])
      times.push(performance.now() - start)
    }
    const { user, system } = process.cpuUsage(cpu)
    const each = (user + system) / 1_000 / REDACTIONS
    medians.push(each)
    console.log(`${name}, ${size} entries: ${median(times).toFixed(2)} ms, of the processor ${each.toFixed(2)} ms`)
  }
  const start = performance.now()
  await store.close()
  const [small = 1, large = 1] = medians
  console.log(`${name}: ${(large / small).toFixed(2)} times the processor time in a session four times as long`)
  console.log(`${name}: closing took ${(performance.now() - start).toFixed(0)} ms`)
}

const folder = mkdtempSync(join(tmpdir(), 'pith-redacting-'))
const postgres = await startPostgres({ fsync: true })
try {
  await redacting('SQLite', join(folder, 'pith.db'))
  await redacting('PostgreSQL', await postgres.url())
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
