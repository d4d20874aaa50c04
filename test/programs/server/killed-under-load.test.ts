import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { lostEntries, runLoad } from '../../server/support/load.ts'
import { type Home, type ServerProcess, serverHome } from '../../server/support/processes.ts'
import { full } from '../../support/full.ts'
import { startModelServer } from '../../support/model-server/index.ts'
import { startPostgres } from '../../support/postgres.ts'

const SESSIONS = full ? 200 : 4
const REQUESTS = full ? 100 : 12
/** One of the three is killed whenever this many entries more were acknowledged. */
const KILL_EVERY = full ? 1_000 : 15

/** Three servers, one of which is killed and started again from time to time. */
class Trio {
  readonly #home: Home
  #servers: ServerProcess[] = []
  #kills = 0
  #starting: Promise<void> = Promise.resolve()

  private constructor(home: Home) {
    this.#home = home
  }

  static async start(home: Home): Promise<Trio> {
    const trio = new Trio(home)
    trio.#servers = [await home.start()]
    trio.#servers.push(...(await Promise.all([home.start(), home.start()])))
    return trio
  }

  get urls(): readonly string[] {
    return this.#servers.map(({ url }) => url)
  }

  get kills(): number {
    return this.#kills
  }

  get settled(): Promise<void> {
    return this.#starting
  }

  get one(): ServerProcess {
    const [server] = this.#servers
    if (server === undefined) throw new Error('one of three is always there')
    return server
  }

  /** Kills the oldest and starts another; not before the one that was started last is there. */
  killOne(): void {
    this.#starting = this.#starting.then(async () => {
      const [victim, ...others] = this.#servers
      this.#kills++
      victim?.signal('SIGKILL')
      this.#servers = others
      this.#servers = [...others, await this.#home.start()]
    })
  }
}

describe('one process of three killed again and again under load', () => {
  it('nothing that was acknowledged is lost or there twice, and no session stays locked', async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const model = await startModelServer({ brain: () => ({ text: 'A short summary.' }), window: 20_000 })
    onTestFinished(() => model.close())
    const where = await postgres.url()
    const home = serverHome(where, model)
    onTestFinished(() => home.stop())
    const trio = await Trio.start(home)
    const result = await runLoad({
      urls: () => trio.urls,
      token: trio.one.token,
      sessions: SESSIONS,
      requests: REQUESTS,
      onAcknowledged: (count) => {
        if (count % KILL_EVERY === 0) trio.killOne()
      },
    })
    await trio.settled
    expect(trio.kills).toBeGreaterThanOrEqual(2)
    expect(result.errors).toEqual([])
    const store = await openStore(where)
    onTestFinished(() => store.close())
    expect(await lostEntries(result, (session) => textsOf(store, session))).toEqual([])
    const { one } = trio
    for (const session of result.sessions) {
      const compact = async () => (await one.ask('POST', `/v1/sessions/${session}/compact`)).status
      await expect.poll(compact, { timeout: 20_000, interval: 100 }).toBe(200)
    }
    console.info(
      `${trio.kills} of 3 processes killed: ${result.acknowledged.length} entries acknowledged, ${result.retries} requests sent again, none lost`,
    )
    // A deadline against hanging: processes start slowly on a busy machine.
  }, 3_600_000)
})

async function textsOf(store: Store, session: string): Promise<{ seq: number; text: string }[]> {
  const { entries } = await store.entries(session, { only: 'messages' })
  return entries.flatMap((entry) =>
    entry.type === 'message' ? [{ seq: entry.seq, text: String(entry.message.content) }] : [],
  )
}
