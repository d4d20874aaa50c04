import type { Seq } from '../../../src/model/types.ts'
import type { LogChange, Session } from '../../../src/store/store.ts'

/** Remembers what a listener was told, and waits until it was told something. */
export function ear(): {
  listen: (change: LogChange) => void
  told: LogChange[]
  hears: (session: Session, seq: Seq) => Promise<void>
} {
  const told: LogChange[] = []
  let wake = () => {}
  return {
    told,
    listen: (change) => {
      told.push(change)
      wake()
    },
    hears: (session, seq) =>
      new Promise((resolve, reject) => {
        const late = () => reject(new Error(`not told of ${session.id} ${seq}, only of ${JSON.stringify(told)}`))
        const deadline = setTimeout(late, 20_000)
        wake = () => {
          if (!told.some((change) => change.session === session.id && change.seq === seq)) return
          clearTimeout(deadline)
          resolve()
        }
        wake()
      }),
  }
}

export function toldOf(told: readonly LogChange[], session: Session): Seq[] {
  return told.filter((change) => change.session === session.id).map((change) => change.seq)
}
