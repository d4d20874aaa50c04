import { useEffect, useState } from 'preact/hooks'
import type { WireAgentSession } from '../../src/contract/shapes/shapes.ts'
import { useApp } from './app-context.ts'

/** Agents write their files without any event, so the list is loaded again while it may be visible. */
const AGAIN_MS = 4_000

/** The sessions of other agents on the machine of the server; none for a token that may not see them. */
export function useAgentSessions(): readonly WireAgentSession[] {
  const { client } = useApp()
  const [sessions, setSessions] = useState<readonly WireAgentSession[]>([])
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      if (!document.hidden) {
        const answer = await client.ask<{ sessions: WireAgentSession[] }>('/v1/agent-sessions', { signal: stop.signal })
        if (stop.signal.aborted || (!answer.ok && answer.status === 403)) return
        if (answer.ok) setSessions(answer.value.sessions)
      }
      timer = setTimeout(load, AGAIN_MS)
    }
    void load()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [client])
  return sessions
}
