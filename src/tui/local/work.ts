import { compactNow } from '../../agent/compaction/compact-now.ts'
import { runTurn, userMessage } from '../../agent/loop/run-turn.ts'
import type { Outcome } from '../../engine/report/outcome.ts'
import { isNoModel } from '../../llm/no-model.ts'
import type { PortEvent } from '../port-data.ts'
import type { LocalSessions } from './sessions.ts'

/** Turns and compactions, one at a time, which can be interrupted. What comes of them is told by events. */
export class LocalWork {
  readonly #sessions: LocalSessions
  readonly #emit: (event: PortEvent) => void
  readonly #onIdle: () => void
  #working: { readonly stop: AbortController; readonly done: Promise<void> } | undefined

  constructor(sessions: LocalSessions, emit: (event: PortEvent) => void, onIdle: () => void) {
    this.#sessions = sessions
    this.#emit = emit
    this.#onIdle = onIdle
  }

  get isWorking(): boolean {
    return this.#working !== undefined
  }

  say(text: string): Promise<void> {
    return this.#work(async (signal) => {
      try {
        await this.#sessions.nameAfter(text)
        await runTurn(this.#sessions.current.agent, userMessage(text), signal)
      } catch (error) {
        this.#emit({ type: 'turn-ended', reason: 'failed', text: textOf(error) })
      }
    })
  }

  compact(focus: string | undefined): Promise<void> {
    return this.#work(async (signal) => {
      const { agent } = this.#sessions.current
      if (isNoModel(agent.model) && !agent.policy.rungs.includes('digest')) return this.#ended({ outcome: 'no-model' })
      try {
        await compactNow(agent, { reason: 'manual', signal, focus })
      } catch (error) {
        this.#ended(signal.aborted ? { outcome: 'cancelled' } : { outcome: 'failed', reason: textOf(error) })
      }
    })
  }

  interrupt(): void {
    this.#working?.stop.abort()
  }

  /** Interrupts what is going on and waits until the log has all of it. */
  async stop(): Promise<void> {
    this.interrupt()
    await this.#working?.done
  }

  async #work(doing: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#working !== undefined) {
      return this.#emit({ type: 'notice', text: 'The agent is still at work', tone: 'error' })
    }
    const stop = new AbortController()
    const done = doing(stop.signal)
    const mine = { stop, done }
    this.#working = mine
    await done
    if (this.#working !== mine) return
    this.#working = undefined
    this.#onIdle()
  }

  #ended(result: Outcome): void {
    this.#emit({ type: 'compaction-ended', automatic: false, result })
  }
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}
