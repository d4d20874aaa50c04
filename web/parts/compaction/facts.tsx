import { useState } from 'preact/hooks'
import type { WireFact } from '../../../src/contract/shapes/compaction-shapes.ts'
import { count } from '../../../src/engine/report/numbers.ts'
import type { PageRoute } from '../../state/page-route.ts'
import { visibleLine } from '../../text/visible.ts'
import { Handle } from '../handle.tsx'

const NAMES: Readonly<Record<WireFact['kind'], string>> = {
  constraint: 'Constraints',
  file: 'Files',
  error: 'Errors',
  command: 'Commands',
  todo: 'To-dos',
  identifier: 'Identifiers',
  user: 'What the user said',
}
const FACT_KINDS = Object.keys(NAMES) as WireFact['kind'][]
const FIRST = 12

/** The facts that the index has about the span. They come from the log, not from a model; each links to its entries. */
export function Facts({ facts, route }: { facts: readonly WireFact[]; route: PageRoute }) {
  return (
    <section class="side" aria-label="Facts">
      <header class="section-head">
        <h2>Facts from the log</h2>
        <span class="soft small">{count(facts.length)}</span>
      </header>
      {facts.length === 0 && <p class="soft pad">The index of this compaction is empty.</p>}
      {FACT_KINDS.map((kind) => (
        <FactGroup key={kind} name={NAMES[kind]} facts={facts.filter((fact) => fact.kind === kind)} route={route} />
      ))}
    </section>
  )
}

function FactGroup({ name, facts, route }: { name: string; facts: readonly WireFact[]; route: PageRoute }) {
  const [all, setAll] = useState(false)
  if (facts.length === 0) return null
  const shown = all ? facts : facts.slice(0, FIRST)
  return (
    <section class="group">
      <h3>
        {name} <span class="soft">{count(facts.length)}</span>
      </h3>
      <ul>
        {shown.map((fact, i) => (
          <li key={i}>
            <span class="grow fact" dir="auto">
              {visibleLine(fact.text, 400)}
              {fact.detail !== undefined && <span class="soft small"> {visibleLine(fact.detail, 200)}</span>}
            </span>
            <span class="handles">
              {fact.seqs.map((seq) => (
                <Handle key={seq} seq={seq} route={route} />
              ))}
            </span>
          </li>
        ))}
      </ul>
      {facts.length > shown.length && (
        <button type="button" class="more" onClick={() => setAll(true)}>
          {count(facts.length - shown.length)} more
        </button>
      )}
    </section>
  )
}
