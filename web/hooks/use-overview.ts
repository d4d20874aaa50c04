import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireOverview } from '../../src/contract/routes/overview-routes.ts'
import { follow } from '../api/follow.ts'
import { refresher } from '../state/refresher.ts'
import { filterQuery, type SessionFilter } from '../state/session-filter.ts'
import { useApp } from './app-context.ts'

const SETTLE_MS = 200
const PAGE = 50
/** The most rows that one answer has. */
const MOST = 500

/** All sessions that match the filter and the words. They are loaded again with every event, and until all of them are counted. */
export function useOverview(words: string, filter: SessionFilter) {
  const { client } = useApp()
  const [overview, setOverview] = useState<WireOverview>()
  const [live, setLive] = useState(false)
  const [error, setError] = useState<string>()
  const shown = useRef(PAGE)
  const reload = useRef(() => {})
  const query = filterQuery(filter)
  if (words.trim() !== '') query.set('q', words.trim())
  const queryText = query.toString()

  useEffect(() => {
    const stop = new AbortController()
    const load = async () => {
      const path = `/v1/overview?${queryText}${queryText === '' ? '' : '&'}limit=${shown.current}`
      const answer = await client.ask<WireOverview>(path, { signal: stop.signal })
      if (stop.signal.aborted) return
      setError(answer.ok ? undefined : answer.message)
      if (!answer.ok) return
      setOverview(answer.value)
      if (answer.value.uncounted > 0) loading.again()
    }
    const loading = refresher(load, SETTLE_MS)
    reload.current = loading.again
    if (overview === undefined) loading.now()
    else loading.again()
    return () => {
      loading.stop()
      stop.abort()
    }
  }, [client, queryText])

  useEffect(() => {
    const onEvent = () => reload.current()
    // The stream does not repeat everything that happened while it was closed: load the list again.
    const onLive = (isLive: boolean) => {
      setLive(isLive)
      if (isLive) onEvent()
    }
    return follow(client, { path: '/v1/events', onEvent, onLive, onRefused: setError })
  }, [client])

  /** Shows more sessions. */
  const more = () => {
    shown.current = Math.min(MOST, shown.current + PAGE)
    reload.current()
  }
  const hasMore = overview !== undefined && overview.total > overview.sessions.length && shown.current < MOST
  return { overview, live, error, more: hasMore ? more : undefined, again: () => reload.current() }
}
