import { useState } from 'preact/hooks'
import { filterQuery, NO_FILTER, parseFilter, type SessionFilter } from '../state/session-filter.ts'

export type FilterState = {
  readonly filter: SessionFilter
  readonly change: (changes: Partial<SessionFilter>) => void
  readonly clear: () => void
}

/** The filter in the address, so that Back and bookmarks have it. */
export function useFilter(): FilterState {
  const [filter, setFilter] = useState(() => parseFilter(location.hash))
  const set = (next: SessionFilter) => {
    const query = filterQuery(next).toString()
    history.replaceState(null, '', query === '' ? '#/' : `#/?${query}`)
    setFilter(next)
  }
  return { filter, change: (changes) => set({ ...filter, ...changes }), clear: () => set(NO_FILTER) }
}
