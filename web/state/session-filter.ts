/** The conditions for sessions on the start screen. An empty text means no condition. */
export type SessionFilter = {
  readonly agent: string
  readonly model: string
  readonly folder: string
  readonly level: string
  readonly min_cost: string
  readonly problems: string
  readonly sort: string
}

export const NO_FILTER: SessionFilter = {
  agent: '',
  model: '',
  folder: '',
  level: '',
  min_cost: '',
  problems: '',
  sort: '',
}

/** `#/?agent=Codex` as a filter. Unknown conditions are ignored. */
export function parseFilter(hash: string): SessionFilter {
  const asked = new URLSearchParams(hash.startsWith('#/?') ? hash.slice('#/?'.length) : '')
  return Object.fromEntries(Object.keys(NO_FILTER).map((key) => [key, asked.get(key) ?? ''])) as SessionFilter
}

/** The conditions of a filter as a query. */
export function filterQuery(filter: SessionFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
}

export function isFiltered({ sort: _, ...conditions }: SessionFilter): boolean {
  return Object.values(conditions).some((value) => value !== '')
}
