import { useEffect, useState } from 'preact/hooks'
import type { WireSearchHit } from '../../src/contract/routes/overview-routes.ts'
import { filterQuery, type SessionFilter } from '../state/session-filter.ts'
import { useApp } from './app-context.ts'

const MOST = 50
const SETTLE_MS = 250

type Found = { readonly hits: readonly WireSearchHit[]; readonly more: boolean }

export type SearchState = { readonly found?: Found; readonly error?: string }

/** The entries with these words, in the sessions of the filter. A new `version` searches again. */
export function useSearch(words: string, filter: SessionFilter, version: number): SearchState {
  const { client } = useApp()
  const [state, setState] = useState<SearchState>({})
  const query = filterQuery({ ...filter, sort: '' })
  query.set('q', words)
  query.set('limit', `${MOST}`)
  const queryText = query.toString()
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const answer = await client.ask<Found>(`/v1/search?${queryText}`, { signal: stop.signal })
      if (stop.signal.aborted) return
      setState(answer.ok ? { found: answer.value } : { error: answer.message })
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [client, queryText, version])
  return state
}
