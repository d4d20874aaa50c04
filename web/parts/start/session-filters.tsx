import { useState } from 'preact/hooks'
import type { WireOverview } from '../../../src/contract/routes/overview-routes.ts'
import { counted } from '../../../src/engine/report/numbers.ts'
import { filterQuery, isFiltered, NO_FILTER, parseFilter, type SessionFilter } from '../../state/session-filter.ts'
import { visibleLine } from '../../text/visible.ts'
import { LEVEL_WORDS } from './fullness.tsx'

type Choices = readonly (readonly [value: string, text: string])[]

const LEVELS: Choices = Object.entries(LEVEL_WORDS)
const COSTS: Choices = ['0.1', '1', '10', '100'].map((dollars) => [
  dollars,
  `from $${dollars === '0.1' ? '0.10' : dollars}`,
])
const SORTS: Choices = [
  ['cost', 'Most expensive first'],
  ['fill', 'Fullest first'],
]

const FACETS = [
  ['agent', 'Agent', 'agents'],
  ['model', 'Model', 'models'],
  ['folder', 'Folder', 'folders'],
] as const

type FiltersProps = { state: ReturnType<typeof useFilter>; choices: WireOverview['choices'] }

/** The filter of the sessions on the start screen. */
export function SessionFilters({ state, choices }: FiltersProps) {
  const { filter, change, clear } = state
  const pick = (key: keyof typeof filter) => (value: string) => change({ [key]: value })
  return (
    <details class="filters-box" open={innerWidth > NARROW || isFiltered(filter)}>
      <summary>Filter and order</summary>
      <form class="filters" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
        {FACETS.map(([key, label, facet]) => (
          <Choice
            key={key}
            label={label}
            all={`All ${facet}`}
            value={filter[key]}
            choices={named(choices[facet])}
            onPick={pick(key)}
          />
        ))}
        <Choice label="How full" all="Any" value={filter.level} choices={LEVELS} onPick={pick('level')} />
        <Choice label="Cost" all="Any" value={filter.min_cost} choices={COSTS} onPick={pick('min_cost')} />
        <Choice label="Order" all="Newest first" value={filter.sort} choices={SORTS} onPick={pick('sort')} />
        {isFiltered(filter) && (
          <button type="button" class="link" onClick={clear}>
            Show all
          </button>
        )}
      </form>
    </details>
  )
}

/** The filters are closed on a phone, so that the list begins higher. */
const NARROW = 720

function named(facet: WireOverview['choices']['agents']): Choices {
  return facet.map(({ name, sessions }) => [name, `${visibleLine(name, 60)} (${counted(sessions, 'session')})`])
}

type ChoiceProps = { label: string; all: string; value: string; choices: Choices; onPick: (value: string) => void }

function Choice({ label, all, value, choices, onPick }: ChoiceProps) {
  const isKnown = value === '' || choices.some(([each]) => each === value)
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        <option value="">{all}</option>
        {!isKnown && <option value={value}>{visibleLine(value, 60)}</option>}
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The filter in the address, so that Back and bookmarks have it. */
export function useFilter() {
  const [filter, setFilter] = useState(() => parseFilter(location.hash))
  const set = (next: SessionFilter) => {
    const query = filterQuery(next).toString()
    history.replaceState(null, '', query === '' ? '#/' : `#/?${query}`)
    setFilter(next)
  }
  return {
    filter,
    change: (changes: Partial<SessionFilter>) => set({ ...filter, ...changes }),
    clear: () => set(NO_FILTER),
  }
}
