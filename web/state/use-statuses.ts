import { useEffect, useRef, useState } from 'preact/hooks'
import { sessionPath } from '../api/client.ts'
import type { Session, SessionDetail, Status } from '../api/types.ts'
import { useApp } from './app-context.ts'

/** More than fit on a screen; the server opens each of them. */
const MOST = 40

/** How full each session of the list is, asked one after the other and again only when a session has grown. */
export function useStatuses(sessions: readonly Session[]): ReadonlyMap<string, Status> {
  const { client } = useApp()
  const [statuses, setStatuses] = useState<ReadonlyMap<string, Status>>(new Map())
  const known = useRef(new Map<string, number>())
  useEffect(() => {
    const stop = new AbortController()
    const load = async () => {
      for (const { id, last_seq } of sessions.slice(0, MOST)) {
        if (known.current.get(id) === last_seq) continue
        const answer = await client.ask<SessionDetail>(sessionPath(id), { signal: stop.signal })
        if (stop.signal.aborted) return
        if (!answer.ok) continue
        known.current.set(id, last_seq)
        setStatuses((all) => new Map(all).set(id, answer.value.status))
      }
    }
    void load()
    return () => stop.abort()
  }, [client, sessions])
  return statuses
}
