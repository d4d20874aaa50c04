import { resolve } from 'node:path'
import { type Home, type ServerProcess, serverHome } from '../../test/server/support/processes.ts'
import type { ModelServer } from '../../test/support/model-server/index.ts'
import type { TestPostgres } from '../../test/support/postgres.ts'
import type { BenchContext } from '../harness/bench.ts'

const PROGRAM = resolve(import.meta.dirname, '../../src/cli/main.ts')
export const CLIENTS = 50

/** Passed to each part of the load benchmark. */
export type World = Pick<BenchContext, 'quick' | 'progress'> & {
  readonly postgres: TestPostgres
  readonly model: ModelServer
}

/** No session is full: a full one is read at each append, to see whether a compaction is due. */
export const HUGE_WINDOW = { provider: 'local', model: 'pith-test', context_window: 10_000_000, max_output: 2_000 }

export async function atHome<T>(
  url: string,
  model: ModelServer,
  work: (home: Home) => Promise<T>,
  settings: Record<string, unknown> = {},
): Promise<T> {
  const home = serverHome(url, model, { most_requests: 1_000, most_streams: 1_000 }, PROGRAM, settings)
  try {
    return await work(home)
  } finally {
    await home.stop()
  }
}

export function started(home: Home, count: number): Promise<ServerProcess[]> {
  return Promise.all(Array.from({ length: count }, () => home.start(['--quiet'])))
}

export function newSessions(servers: readonly ServerProcess[], count: number): Promise<string[]> {
  const create = async (i: number) => String((await at(servers, i).ask('POST', '/v1/sessions', {})).body.id)
  return Promise.all(Array.from({ length: count }, (_, i) => create(i)))
}

/** Appends a message of the user, and returns the milliseconds until the answer. */
export async function say(server: ServerProcess, id: string, content: string): Promise<number> {
  const begun = performance.now()
  const body = { messages: [{ message: { role: 'user', content } }] }
  const { status } = await server.ask('POST', `/v1/sessions/${id}/messages`, body)
  if (status !== 201) throw new Error(`an append was answered with ${status}`)
  return performance.now() - begun
}

export async function metric(server: ServerProcess, name: string): Promise<number> {
  const text = String((await server.ask('GET', '/metrics')).body)
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0
}

export function at<T>(list: readonly T[], i: number): T {
  return list[i % list.length] as T
}
