import { useEffect, useState } from 'preact/hooks'
import type { PageAnswer } from '../api/api-client.ts'
import { useApp } from './app-context.ts'

/** Data of the server: the last that was loaded, and why a later request failed. Both are absent while the first is loading. */
export type Loaded<T> = { readonly value?: T; readonly failure?: Extract<PageAnswer<T>, { ok: false }> }

type LoadOptions = {
  /** With another version, the same path is loaded again. */
  readonly version?: number
  /** How long to wait before a request, because the user may still be typing. */
  readonly settleMs?: number
  /** Sent with a POST. With another body, the same path is loaded again. */
  readonly body?: unknown
}

/** The data at a path. It is loaded again when the path or the version changes. */
export function useLoaded<T>(path: string, { version = 0, settleMs = 0, body }: LoadOptions = {}): Loaded<T> {
  const { client } = useApp()
  const [loaded, setLoaded] = useState<Loaded<T>>({})
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await client.ask<T>(path, {
        method: body === undefined ? 'GET' : 'POST',
        body,
        signal: stop.signal,
      })
      if (stop.signal.aborted) return
      setLoaded(({ value }) => (answer.ok ? { value: answer.value } : { value, failure: answer }))
    }, settleMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [client, path, version, JSON.stringify(body)])
  return loaded
}
