import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireSpent } from '../../src/contract/shapes/shapes.ts'
import { sessionPath } from '../api/api-client.ts'
import { useApp } from './app-context.ts'

/** The cost of a session, and of each of its turns by the entry that begins it. */
export type PageSpent = {
  readonly all: WireSpent
  /** Undefined if a price is not known, or no answer was counted. */
  readonly cost: number | undefined
  readonly turns: ReadonlyMap<number, TurnCost>
}

export type TurnCost = NonNullable<WireSpent['turns']>[number]

/** The first request loads all turns; after that only those that may have changed are loaded. */
const ALL_TURNS = 10_000
const LAST_TURNS = 20

/** The cost of a session; undefined until it is counted. Other parts do not wait for it. */
export function useSpent(id: string, lastSeq: number): PageSpent | undefined {
  const { client } = useApp()
  const [spent, setSpent] = useState<PageSpent>()
  const known = useRef<PageSpent>(undefined)
  useEffect(() => {
    if (lastSeq === 0) return
    const stop = new AbortController()
    const wanted = known.current === undefined ? ALL_TURNS : LAST_TURNS
    const path = sessionPath(id, `/spent?turns=${wanted}`)
    void client.ask<WireSpent>(path, { signal: stop.signal }).then((answer) => {
      if (stop.signal.aborted || !answer.ok) return
      const fresh = (answer.value.turns ?? []).map((turn) => [turn.seq, turn] as const)
      const turns = new Map([...(known.current?.turns ?? []), ...fresh])
      const isUncounted = answer.value.calls === 0 && [...turns.values()].some(({ cost }) => cost === undefined)
      known.current = { all: answer.value, cost: isUncounted ? undefined : answer.value.cost, turns }
      setSpent(known.current)
    })
    return () => stop.abort()
  }, [client, id, lastSeq])
  return spent
}

/** The turn that an entry belongs to. */
export function turnAt(spent: PageSpent | undefined, seq: number): TurnCost | undefined {
  let found: TurnCost | undefined
  for (const turn of spent?.turns.values() ?? []) {
    if (turn.seq <= seq && turn.seq >= (found?.seq ?? 0)) found = turn
  }
  return found
}
