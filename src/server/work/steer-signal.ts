import { z } from 'zod'
import type { WireWork } from '../../contract/shapes/shapes.ts'
import { messageSchema } from '../../model/message-schema.ts'
import type { UserMessage } from '../../model/types.ts'
import { leaseHolder } from '../../session/compaction/hold-lease.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { runningOf, type WorkList } from './work-list.ts'

type SteeredTurn = { readonly id: string; readonly take: (message: UserMessage) => void }

/** The turns of this process that take messages while they run. */
export class Steering {
  readonly #open = new Map<SessionId, SteeredTurn>()

  /** Lets a turn take messages. Returns a function that ends it. */
  open(session: SessionId, turn: SteeredTurn): () => void {
    this.#open.set(session, turn)
    return () => {
      if (this.#open.get(session) === turn) this.#open.delete(session)
    }
  }

  /** Gives a message to the running turn of a session, if it is the one with this id; false when this process runs none. */
  give(session: SessionId, message: UserMessage, id?: string): boolean {
    const turn = this.#open.get(session)
    if (turn === undefined || (id !== undefined && turn.id !== id)) return false
    turn.take(message)
    return true
  }
}

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
const CHECK_MS = 50

/** Ends the turn or the compaction of a session, whichever process runs it, and waits for its end. */
export async function cancelWork(
  { workList, store }: { readonly workList: WorkList; readonly store: Store },
  session: string,
  kind: WireWork['kind'],
): Promise<{ readonly cancelled: boolean; readonly id?: string }> {
  const own = workList.running.find((work) => work.session === session && work.kind === kind)
  if (own !== undefined) return { cancelled: await workList.cancel(own.id), id: own.id }
  const holder = await leaseHolder(store, session)
  const running = holder === undefined ? undefined : runningOf(holder)
  if (running === undefined || running.kind !== kind) return { cancelled: false }
  await store.sendSignal({ session, kind: CANCEL, body: running.id })
  const until = Date.now() + WAIT_MS
  while (Date.now() < until) {
    if ((await leaseHolder(store, session)) !== holder) return { cancelled: true, id: running.id }
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
  }
  return { cancelled: false, id: running.id }
}

/** The signal that brings a message to the process whose turn runs. */
const STEER = 'steer'
const steerSchema = z.object({ turn: z.string(), message: messageSchema })

type SteerDeps = {
  readonly steering: Steering
  readonly workList: WorkList
  readonly store: Store
}

/** The result of steering. `queued`: the message was sent to another process, whose turn may have ended. */
export type Steered = { readonly steered: boolean; readonly queued?: true }

/** Gives the running turn of a session a message, whichever process runs it, unless no turn runs or another one than `turn`. */
export async function steerTurn(
  { steering, workList, store }: SteerDeps,
  session: string,
  message: UserMessage,
  turn?: string,
): Promise<Steered> {
  if (steering.give(session, message, turn)) return { steered: true }
  const holder = await leaseHolder(store, session)
  const running = holder === undefined ? undefined : runningOf(holder)
  // A turn of this process that takes no messages is just beginning or ending.
  if (running?.kind !== 'turn' || workList.running.some(({ id }) => id === running.id)) return NOT_STEERED
  if (turn !== undefined && running.id !== turn) return NOT_STEERED
  await store.sendSignal({ session, kind: STEER, body: JSON.stringify({ turn: running.id, message }) })
  return { steered: true, queued: true }
}

const NOT_STEERED: Steered = { steered: false }

/** Listens for messages that other processes received. Returns a function that stops it. */
export function hearSteering(store: Store, steering: Steering): () => void {
  return store.receiveSignals(({ session, kind, body }) => {
    if (kind !== STEER) return false
    const { turn, message } = steerSchema.parse(JSON.parse(body))
    // The caller sends the message again when its turn has ended: a later turn must not get it twice.
    return message.role === 'user' && steering.give(session, message, turn)
  })
}
