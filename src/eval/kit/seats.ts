/** A task with its seat. A seat is a player with a folder of its own. */
export type Seated<T> = { readonly seat: number; readonly task: T }

/**
 * Gives every task a seat, from 1 on, so that no seat has two tasks of one session. The seats move on by one with each
 * session, so that no seat answers from the same kind of context every time.
 */
export function seated<T extends { readonly session: string }>(tasks: readonly T[]): Seated<T>[] {
  const sessions = [...Map.groupBy(tasks, ({ session }) => session).values()]
  const seats = Math.max(1, ...sessions.map((all) => all.length))
  return sessions.flatMap((all, at) => all.map((task, i) => ({ task, seat: ((i + at) % seats) + 1 })))
}

/** The folder of a seat. */
export function seatRoom(seat: number): string {
  return `seat-${String(seat).padStart(2, '0')}`
}
