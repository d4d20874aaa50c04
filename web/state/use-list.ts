import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireSession, WireSessionPage } from '../../src/contract/shapes.ts'
import type { ApiAnswer, ApiClient } from '../api/api-client.ts'
import { follow } from '../api/follow.ts'
import { useApp } from './app-context.ts'
import { refresher } from './refresher.ts'

export type SessionList = {
  readonly sessions?: readonly WireSession[]
  readonly live: boolean
  readonly error?: string
  /** Loads the next page; absent when there is none. */
  readonly more?: () => void
}

const SETTLE_MS = 200
const PAGE = 100

/** The sessions whose title or workspace has these words, the newest first; every event loads them again. */
export function useList(words: string): SessionList {
  const { client } = useApp()
  const [sessions, setSessions] = useState<readonly WireSession[]>()
  const [next, setNext] = useState<string>()
  const [live, setLive] = useState(false)
  const [error, setError] = useState<string>()
  const shown = useRef(PAGE)
  const reload = useRef(() => {})

  useEffect(() => {
    const stop = new AbortController()
    const load = async () => {
      const answer = await loadPages(client, words.trim(), shown.current, stop.signal)
      if (stop.signal.aborted) return
      setError(answer.ok ? undefined : answer.message)
      if (!answer.ok) return
      setSessions(answer.value.sessions)
      setNext(answer.value.next)
    }
    const loading = refresher(load, SETTLE_MS)
    reload.current = loading.again
    if (sessions === undefined) loading.now()
    else loading.again()
    return () => {
      loading.stop()
      stop.abort()
    }
  }, [client, words])

  useEffect(() => {
    const onEvent = () => reload.current()
    // The stream does not repeat what happened while it was away: load the list again.
    const onLive = (isLive: boolean) => {
      setLive(isLive)
      if (isLive) onEvent()
    }
    return follow(client, { path: '/v1/events', onEvent, onLive, onRefused: setError })
  }, [client])

  const more = () => {
    shown.current = shown.current + PAGE
    reload.current()
  }
  return { sessions, live, error, more: next === undefined ? undefined : more }
}

/** Loads as many sessions as the list shows, page after page. */
async function loadPages(
  client: ApiClient,
  words: string,
  most: number,
  signal: AbortSignal,
): Promise<ApiAnswer<WireSessionPage>> {
  const sessions: WireSession[] = []
  let next: string | undefined
  do {
    const query = new URLSearchParams({ limit: `${PAGE}` })
    if (words !== '') query.set('q', words)
    if (next !== undefined) query.set('before', next)
    const answer: ApiAnswer<WireSessionPage> = await client.ask(`/v1/sessions?${query}`, { signal })
    if (!answer.ok) return answer
    sessions.push(...answer.value.sessions)
    next = answer.value.next
  } while (next !== undefined && sessions.length < most)
  return { ok: true, value: { sessions, next } }
}
