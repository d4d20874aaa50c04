import { setTimeout as sleep } from 'node:timers/promises'

/** A pause that an append has met, and how long it lasts at most. */
export type PauseLeft = { readonly pausedMs: number }

/** The longest pause. A writer waits no longer than this, whatever happens to the process that asked for it. */
export const MOST_PAUSE_MS = 10_000

const LOOK_MS = 20

/** Repeats an append while its session is paused. When the first pause that it met is over, it waits for no other. */
export async function whenResumed<T extends object>(
  append: (waits: 'for-a-pause' | 'no-longer') => Promise<T | PauseLeft>,
): Promise<T> {
  let end: number | undefined
  for (;;) {
    const answer = await append(end === undefined || performance.now() < end ? 'for-a-pause' : 'no-longer')
    if (!('pausedMs' in answer)) return answer
    end ??= performance.now() + Math.min(answer.pausedMs, MOST_PAUSE_MS)
    await sleep(LOOK_MS)
  }
}
