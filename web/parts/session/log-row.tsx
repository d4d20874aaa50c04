import type { WirePlacedEntry } from '../../../src/contract/shapes/shapes.ts'
import { costText, count, counted } from '../../../src/engine/report/numbers.ts'
import type { TurnCost } from '../../hooks/use-spent.ts'
import { compactionCost } from '../../text/compaction-cost.ts'
import { entryPreview, speakerOf, type TextBlock } from '../../text/entry-text.ts'
import { clock, localDateTime } from '../../text/times.ts'
import { visibleLine } from '../../text/visible.ts'
import { Text } from '../text.tsx'

type Props = {
  readonly seq: number
  readonly entry: WirePlacedEntry | undefined
  /** The turn that begins with this entry, if its cost is shown. */
  readonly turn?: TurnCost | undefined
  /** The page of the log was loaded and does not contain this entry. */
  readonly isMissing: boolean
  readonly isSelected: boolean
  readonly onOpen: () => void
}

/** One line of the log: speaker, text, place in the view and size of an entry. */
export function LogRow({ seq, entry, turn, isMissing, isSelected, onOpen }: Props) {
  if (entry === undefined)
    return <div class="log-row loading">{isMissing ? `#${seq} cannot be read; it is set aside` : ''}</div>
  const speaker = speakerOf(entry)
  const classes = ['log-row', entry.type === 'message' ? 'said' : 'change', `place-${entry.place}`, `by-${speaker}`]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself takes the keys of its rows.
    // biome-ignore lint/a11y/useFocusableInteractive: the list itself takes the focus of its rows.
    <div
      class={isSelected ? [...classes, 'selected'].join(' ') : classes.join(' ')}
      role="option"
      aria-selected={isSelected}
      data-seq={seq}
      onClick={onOpen}
    >
      <span class="seq">#{seq}</span>
      <time title={localDateTime(entry.at)}>{clock(entry.at)}</time>
      <span class="speaker">{speaker}</span>
      <span class="said-text" dir="auto">
        {visibleLine(entryPreview(entry))}
      </span>
      <span class="place" title={turn && turnText(turn)}>
        {[placeText(entry), rowCost(entry, turn)].filter((text) => text !== '').join(' · ')}
      </span>
      <span class="size">{entry.tokens === undefined ? '' : count(entry.tokens)}</span>
    </div>
  )
}

/** The cost of a turn, with its calls. */
export function turnText({ calls, cost, input_tokens, output_tokens }: TurnCost): string {
  return `This turn: ${costText(cost)}, ${counted(calls, 'call')}, ${count(input_tokens)} tokens in, ${count(output_tokens)} out`
}

/** The cost of the turn that begins here, or of a compaction or an attempt at one. */
function rowCost(entry: WirePlacedEntry, turn: TurnCost | undefined): string {
  if (entry.type === 'compaction') return costText(compactionCost(entry))
  if (entry.type === 'attempt' && typeof entry.cost === 'number') return costText(entry.cost)
  return turn === undefined || turn.calls === 0 ? '' : costText(turn.cost)
}

/** The place of an entry in the view, in a word: `masked #40`. */
export function placeText(entry: WirePlacedEntry): string {
  const by = entry.by === undefined ? '' : ` #${entry.by}`
  const pinned = entry.pinned === true ? 'pinned ' : ''
  switch (entry.place) {
    case 'whole':
    case 'none':
      return pinned.trim()
    default:
      return `${pinned}${entry.place}${by}`
  }
}

/** The blocks of an entry or a message. */
export function Blocks({ blocks }: { blocks: readonly TextBlock[] }) {
  return (
    <div class="blocks">
      {blocks.map(({ label, text, tone }, i) => (
        <section key={i} class={tone === undefined ? 'block' : `block ${tone}`}>
          <h3>{visibleLine(label, 160)}</h3>
          {text !== '' && <Text text={text} />}
        </section>
      ))}
    </div>
  )
}
