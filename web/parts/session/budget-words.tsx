import type { WireContext } from '../../../src/contract/shapes/shapes.ts'
import { count } from '../../../src/engine/report/numbers.ts'

/** The sizes of a context in the words of people, and what the settings and the docs call them. */
const SIZES = [
  { key: 'window', words: 'Fits into the model', name: 'context_window' },
  { key: 'trigger', words: 'Compacted by itself from', name: 'trigger_percent' },
  { key: 'target', words: 'Brought down to at most', name: 'target_percent' },
  { key: 'tail', words: 'Kept word for word', name: 'keep_tokens' },
  { key: 'reserve', words: 'Left free for the answer', name: 'reserve_tokens' },
] as const

/** How much fits, when it is compacted, and what stays; the technical names are one click behind. */
export function BudgetWords({ budget }: { budget: WireContext['budget'] }) {
  return (
    <section class="group">
      <h3>What fits, and what stays</h3>
      <ul>
        {SIZES.map(({ key, words }) => (
          <li key={key}>
            <span class="grow">{words}</span>
            <span class="number">{sizeText(budget[key])}</span>
          </li>
        ))}
      </ul>
      <details class="small soft">
        <summary>What the settings call them</summary>
        <ul>
          {SIZES.map(({ key, words, name }) => (
            <li key={key}>
              <span class="grow">{words}</span>
              <span class="mono">{name}</span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}

function sizeText(tokens: number | undefined): string {
  return tokens === undefined ? 'not known' : `${count(tokens)} tokens`
}
