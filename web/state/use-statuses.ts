import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireSession, WireSessionStatus, WireStatus } from '../../src/contract/shapes.ts'
import { useApp } from './app-context.ts'

/** More sessions than fit on a screen; the server opens each of them once. */
const MOST = 60
/** Statuses in one request: the top of the list is there before the rest is counted. */
const AT_ONCE = 20

/** How full each session of the list is; asks again only for sessions that have grown. */
export function useStatuses(sessions: readonly WireSession[]): ReadonlyMap<string, WireStatus> {
  const { client } = useApp()
  const [statuses, setStatuses] = useState<ReadonlyMap<string, WireStatus>>(new Map())
  const known = useRef(new Map<string, number>())
  useEffect(() => {
    const stop = new AbortController()
    const load = async () => {
      const wanted = sessions.slice(0, MOST).filter(({ id, last_seq }) => known.current.get(id) !== last_seq)
      for (let from = 0; from < wanted.length; from += AT_ONCE) {
        const ids = wanted.slice(from, from + AT_ONCE).map(({ id }) => encodeURIComponent(id))
        const answer = await client.ask<{ statuses: WireSessionStatus[] }>(`/v1/statuses?sessions=${ids.join()}`, {
          signal: stop.signal,
        })
        if (stop.signal.aborted || !answer.ok) return
        const found = answer.value.statuses
        for (const { session_id, last_seq } of found) known.current.set(session_id, last_seq)
        setStatuses((all) => new Map([...all, ...found.map(({ session_id, status }) => [session_id, status] as const)]))
      }
    }
    void load()
    return () => stop.abort()
  }, [client, sessions])
  return statuses
}
