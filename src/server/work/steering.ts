import type { UserMessage } from '../../model/types.ts'
import type { SessionId } from '../../store/store.ts'

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
