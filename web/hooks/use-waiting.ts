import { useEffect, useState } from 'preact/hooks'
import { refresher } from '../state/refresher.ts'
import { useApp } from './app-context.ts'
import type { Loaded } from './use-loaded.ts'

/** How long after an answer the rest is asked for. */
const AGAIN_MS = 500

/** The data at a path, loaded again until the server has read all sessions for it. Another path begins empty. */
export function useWaiting<T extends { readonly waiting: number }>(path: string | undefined): Loaded<T> {
  const { client } = useApp()
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly path?: string }>({})
  useEffect(() => {
    if (path === undefined) return
    const stop = new AbortController()
    const loading = refresher(async () => {
      const answer = await client.ask<T>(path, { signal: stop.signal })
      if (stop.signal.aborted) return
      setLoaded(answer.ok ? { path, value: answer.value } : { path, failure: answer })
      if (answer.ok && answer.value.waiting > 0) loading.again()
    }, AGAIN_MS)
    loading.now()
    return () => {
      loading.stop()
      stop.abort()
    }
  }, [client, path])
  return loaded.path === path ? loaded : {}
}
