import { type HeldLease, holdForTurn } from '../../session/compaction/hold-lease.ts'
import { isDead } from '../../session/compaction/holder.ts'
import type { Agent } from '../agent.ts'

/** How long the lease of a process that died holds up those on other machines. */
const LEASE_MS = 30_000
const LOOK_MS = 200

/**
 * Takes the session for a turn, so that no other process answers the calls that run in it. While another one is at work
 * it waits and says so; nothing if the user no longer wants to.
 */
export async function takeTurn(
  agent: Agent,
  signal: AbortSignal,
): Promise<Extract<HeldLease, { ok: true }> | undefined> {
  let told = ''
  for (;;) {
    const lease = await takeOver(agent, agent.deps.holder)
    if (lease.ok) return lease
    if (signal.aborted) return undefined
    if (told !== lease.holder) {
      agent.emit({ type: 'notice', text: `Waiting: ${lease.holder} is at work in this session` })
      told = lease.holder
    }
    await pause(LOOK_MS, signal)
  }
}

/** The lease of a process of this machine that died is taken over in its name. */
async function takeOver({ live }: Agent, holder: string): Promise<HeldLease> {
  const lease = await holdForTurn(live.store, live.id, holder, LEASE_MS)
  return lease.ok || !isDead(lease.holder) ? lease : holdForTurn(live.store, live.id, lease.holder, LEASE_MS)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise.finally(() => clearTimeout(timer))
}
