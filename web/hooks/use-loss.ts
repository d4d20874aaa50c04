import { useEffect, useState } from 'preact/hooks'
import type { WireLoss } from '../../src/contract/shapes/compaction-shapes.ts'
import { sessionPath } from '../api/api-client.ts'
import { useApp } from './app-context.ts'

/** A loss, or why it could not be loaded; empty while it is loading. */
export type LoadedLoss = { readonly loss?: WireLoss; readonly error?: string }

/** The first messages that a compaction lost. They are loaded again when the view has changed, not with every message. */
export function useLoss(id: string, seq: number, limit: number, revision: number): LoadedLoss {
  const { client } = useApp()
  const [loaded, setLoaded] = useState<LoadedLoss>({})
  useEffect(() => {
    const stop = new AbortController()
    const path = sessionPath(id, `/compactions/${seq}/lost?limit=${limit}`)
    void client.ask<WireLoss>(path, { signal: stop.signal }).then((answer) => {
      if (stop.signal.aborted) return
      setLoaded(answer.ok ? { loss: answer.value } : { error: answer.message })
    })
    return () => stop.abort()
  }, [client, id, seq, limit, revision])
  return loaded
}
