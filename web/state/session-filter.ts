/** What the start page shows of all sessions. An empty text is no condition. */
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

/** `#/?agent=Codex` as a filter. What is no condition of ours is passed over. */
export function parseFilter(hash: string): SessionFilter {
  const asked = new URLSearchParams(hash.startsWith('#/?') ? hash.slice('#/?'.length) : '')
  return Object.fromEntries(Object.keys(NO_FILTER).map((key) => [key, asked.get(key) ?? ''])) as SessionFilter
}

/** The conditions of a filter as a query; `sort` is none of a search. */
export function filterQuery(filter: SessionFilter): URLSearchParams {
  return new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
}

export function isFiltered({ sort: _, ...conditions }: SessionFilter): boolean {
  return Object.values(conditions).some((value) => value !== '')
}
