import type { Seq } from '../../model/types.ts'
import { RecentMap } from '../../model/values.ts'
import type { ChainMark, SessionId } from '../../store/store.ts'
import type { ChainStep } from '../faces/face.ts'

/** The place of a conversation in the store. Without a session nothing of it is there. */
export type Place = {
  readonly value: string
  readonly session?: SessionId
  readonly seq?: Seq
  readonly isOpen?: boolean
  /** Values of entries up to this place that the store does not have yet: the client has changed arguments in them. */
  readonly marks?: readonly ChainMark[]
  /** Nothing was appended: the log had all of it. */
  readonly isRepeated?: true
}

/** The end of a session, and how many steps of a conversation lead to it. */
export type SessionEnd = { readonly session: SessionId; readonly seq: Seq; readonly known: number }

const MOST_ENDS = 1_000

/** The ends of the sessions that this gateway wrote last, by the value of their conversations. */
export class SessionEnds {
  readonly #ends = new RecentMap<string, { readonly session: SessionId; readonly seq: Seq }>(MOST_ENDS)

  /** Notes an end that can be continued, and drops the one before it. Returns the place. */
  note(place: Place, before?: string): Place {
    const { session, seq, value, isOpen } = place
    if (session === undefined || seq === undefined || isOpen !== true) return place
    if (before !== undefined && this.#ends.get(before)?.session === session) this.#ends.delete(before)
    this.#ends.set(value, { session, seq })
    return place
  }

  /** The last end that the conversation leads to. */
  find(chain: readonly ChainStep[]): SessionEnd | undefined {
    const last = chain.findLastIndex(({ value }) => this.#ends.has(value))
    const end = this.#ends.get(chain[last]?.value ?? '')
    return end === undefined ? undefined : { ...end, known: last + 1 }
  }
}
