import type { Store } from '../../store/store.ts'
import type { Running } from '../http/http-error.ts'
import { runningOf } from './holder.ts'
import type { Leases } from './leases.ts'
import type { Works } from './works.ts'

/** The signal by which one process asks another to end its work; its body is the id of the work. */
const CANCEL = 'cancel'

/** Ends work of this process when another one asks for it. Returns how to stop listening. */
export function obeyCancels(store: Store, works: Works): () => void {
  return store.receiveSignals(({ kind, body: id }) => {
    if (kind !== CANCEL || !works.running.some((work) => work.id === id)) return false
    void works.cancel(id)
    return true
  })
}

const WAIT_MS = 5_000
const LOOK_MS = 50

/** Ends the work of a kind in a session, on whichever process it runs; waits until it has ended. */
export async function cancelWork(
  { works, leases, store }: { readonly works: Works; readonly leases: Leases; readonly store: Store },
  session: string,
  kind: Running['kind'],
): Promise<{ readonly cancelled: boolean; readonly id?: string }> {
  const own = works.running.find((work) => work.session === session && work.kind === kind)
  if (own !== undefined) return { cancelled: await works.cancel(own.id), id: own.id }
  const holder = await leases.holder(session)
  const running = holder === undefined ? undefined : runningOf(holder)
  if (running === undefined || running.kind !== kind) return { cancelled: false }
  await store.sendSignal({ session, kind: CANCEL, body: running.id })
  const until = Date.now() + WAIT_MS
  while (Date.now() < until) {
    if ((await leases.holder(session)) !== holder) return { cancelled: true, id: running.id }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return { cancelled: false, id: running.id }
}
