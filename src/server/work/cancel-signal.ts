import type { WireWork } from '../../contract/shapes/shapes.ts'
import type { Store } from '../../store/store.ts'
import type { Leases } from './leases.ts'
import { runningOf } from './work-holder.ts'
import type { WorkList } from './work-list.ts'

/** The signal by which one process asks another to end its work. Its body is the id of the work. */
const CANCEL = 'cancel'

/** Ends work of this process when another process asks for it. Returns a function that stops listening. */
export function obeyCancels(store: Store, workList: WorkList): () => void {
  return store.receiveSignals(({ kind, body: id }) => {
    if (kind !== CANCEL || !workList.running.some((work) => work.id === id)) return false
    void workList.cancel(id)
    return true
  })
}

const WAIT_MS = 5_000
const LOOK_MS = 50

/** Ends the turn or the compaction of a session, whichever process runs it, and waits for its end. */
export async function cancelWork(
  { workList, leases, store }: { readonly workList: WorkList; readonly leases: Leases; readonly store: Store },
  session: string,
  kind: WireWork['kind'],
): Promise<{ readonly cancelled: boolean; readonly id?: string }> {
  const own = workList.running.find((work) => work.session === session && work.kind === kind)
  if (own !== undefined) return { cancelled: await workList.cancel(own.id), id: own.id }
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
