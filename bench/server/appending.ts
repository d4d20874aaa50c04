/**
 * Appends over HTTP on PostgreSQL: this code with 1, 2 and 4 processes, and another copy of it with one, in one run, each
 * with the processor time of Node and of the database server. `node bench/server/appending.ts [--beside FOLDER] [--quick]`
 */

import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ServerProcess, serverHome } from '../../test/server/support/processes.ts'
import { startModelServer } from '../../test/support/model-server/index.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { postgresMs } from '../harness/postgres-cpu.ts'
import { median } from '../harness/timing.ts'

const quick = process.argv.includes('--quick')
const SESSIONS = 50
const APPENDS = quick ? 10 : 30
const WARMING = quick ? 1 : 10
const ROUNDS = quick ? 1 : 3
const OWN = resolve(import.meta.dirname, '../..')
const beside = process.argv.includes('--beside') ? process.argv[process.argv.indexOf('--beside') + 1] : undefined

const cases = [
  ...(beside === undefined ? [] : [{ name: 'beside, 1 process', folder: beside, processes: 1 }]),
  ...[1, 2, 4].map((processes) => ({ name: `this code, ${processes}`, folder: OWN, processes })),
]

const model = await startModelServer({ brain: () => ({ text: 'ok' }), window: 20_000 })
const postgres = await startPostgres()
try {
  const results = new Map(cases.map(({ name }) => [name, [] as Round[]]))
  for (let round = 0; round < ROUNDS; round++)
    for (const each of cases) results.get(each.name)?.push(await measured(each.folder, each.processes))
  for (const [name, rounds] of results) {
    const of = (field: keyof Round) => median(rounds.map((round) => round[field]))
    console.log(
      `${name.padEnd(18)} ${Math.round(of('perSecond')).toLocaleString('en').padStart(6)} appends/s · CPU per append: Node ${of('nodeMs').toFixed(2)} ms, PostgreSQL ${of('postgresMs').toFixed(2)} ms`,
    )
  }
} finally {
  await model.close()
  await postgres.stop()
}

type Round = { readonly perSecond: number; readonly nodeMs: number; readonly postgresMs: number }

async function measured(folder: string, processes: number): Promise<Round> {
  const url = await postgres.url()
  const home = serverHome(url, model, {}, join(folder, 'src/cli/main.ts'))
  // Earlier copies know only this form of a token; this one reads it too.
  const tokens = [{ name: 'local', access: 'write', token: home.token }]
  writeFileSync(join(home.folder, 'server-tokens.json'), JSON.stringify({ tokens }))
  try {
    const servers: ServerProcess[] = []
    for (let i = 0; i < processes; i++) servers.push(await home.start(['--quiet']))
    const ids = await Promise.all(
      Array.from({ length: SESSIONS }, async (_, i) => {
        const at = servers[i % processes]
        return { at, id: String((await at?.ask('POST', '/v1/sessions', {}))?.body.id) }
      }),
    )
    const say = async ({ at, id }: (typeof ids)[number], i: number) => {
      const content = `message ${i} ${'what was said, in some words. '.repeat(10)}`
      const answer = await at?.ask('POST', `/v1/sessions/${id}/messages`, {
        messages: [{ message: { role: 'user', content } }],
      })
      if (answer?.status !== 201) throw new Error(`no append: ${answer?.status}`)
    }
    const repeatedly = (times: number) =>
      Promise.all(
        ids.map(async (each) => {
          for (let i = 0; i < times; i++) await say(each, i)
        }),
      )
    // Code runs slowly at first, in each process.
    await repeatedly(WARMING * processes)
    const [node, database, started] = [await nodeMs(servers), postgresMs(url), performance.now()]
    await repeatedly(APPENDS)
    const seconds = (performance.now() - started) / 1_000
    const appends = SESSIONS * APPENDS
    return {
      perSecond: appends / seconds,
      nodeMs: ((await nodeMs(servers)) - node) / appends,
      postgresMs: (postgresMs(url) - database) / appends,
    }
  } finally {
    await home.stop()
  }
}

async function nodeMs(servers: readonly ServerProcess[]): Promise<number> {
  const texts = await Promise.all(servers.map(async (server) => String((await server.ask('GET', '/metrics')).body)))
  return texts.reduce((sum, text) => sum + Number(/^pith_cpu_seconds (\S+)$/m.exec(text)?.[1] ?? 0) * 1_000, 0)
}
