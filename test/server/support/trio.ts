import type { Home, ServerProcess } from './processes.ts'

/** Three servers, one of which can be killed and started again from time to time. */
export class Trio {
  readonly #home: Home
  #servers: readonly ServerProcess[] = []
  #kills = 0
  #starting: Promise<void> = Promise.resolve()

  private constructor(home: Home) {
    this.#home = home
  }

  static async start(home: Home): Promise<Trio> {
    const trio = new Trio(home)
    // The first makes the tables.
    const first = await home.start()
    trio.#servers = [first, ...(await Promise.all([home.start(), home.start()]))]
    return trio
  }

  get urls(): readonly string[] {
    return this.#servers.map(({ url }) => url)
  }

  get all(): readonly [ServerProcess, ServerProcess, ServerProcess] {
    const [one, two, other] = this.#servers
    if (one === undefined || two === undefined || other === undefined) throw new Error('one of three is being started')
    return [one, two, other]
  }

  get kills(): number {
    return this.#kills
  }

  /** Resolves when those that were killed have been replaced. */
  get settled(): Promise<void> {
    return this.#starting
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
