import { useEffect, useState } from 'preact/hooks'
import type { WireRequest } from '../../src/contract/shapes/shapes.ts'
import { sessionPath } from '../api/api-client.ts'
import { useApp } from './app-context.ts'

/** The last requests of a session through a gateway. They are loaded again when the session has changed. */
export function useRequests(id: string, lastSeq: number): readonly WireRequest[] {
  const { client } = useApp()
  const [requests, setRequests] = useState<readonly WireRequest[]>([])
  useEffect(() => {
    const stop = new AbortController()
    void client
      .ask<{ requests: WireRequest[] }>(sessionPath(id, '/requests'), { signal: stop.signal })
      .then((answer) => answer.ok && setRequests(answer.value.requests))
    return () => stop.abort()
  }, [client, id, lastSeq])
  return requests
}
