import type { Seq } from '../../../src/model/types.ts'
import type { LogChange, Session } from '../../../src/store/store.ts'

/** Remembers the changes that a listener got, and waits until a certain one came. */
export function ear(): {
  listen: (change: LogChange) => void
  changes: LogChange[]
  hears: (session: Session, seq: Seq) => Promise<void>
} {
  const changes: LogChange[] = []
  let wake = () => {}
  return {
    changes,
    listen: (change) => {
      changes.push(change)
      wake()
    },
    hears: (session, seq) =>
      new Promise((resolve, reject) => {
        const late = () => reject(new Error(`no change of ${session.id} ${seq}, only ${JSON.stringify(changes)}`))
        const deadline = setTimeout(late, 20_000)
        wake = () => {
          if (!changes.some((change) => change.session === session.id && change.seq === seq)) return
          clearTimeout(deadline)
          resolve()
        }
        wake()
      }),
  }
}

export function seqsOf(changes: readonly LogChange[], session: Session): Seq[] {
  return changes.filter((change) => change.session === session.id).map((change) => change.seq)
}
