import { useCallback, useState } from 'preact/hooks'
import type { WirePlacedEntry } from '../../../src/contract/shapes/shapes.ts'
import { costText, count, counted } from '../../../src/engine/report/numbers.ts'
import { compactionCost } from '../../../src/tokens/cost.ts'
import { useChanges } from '../../hooks/use-changes.ts'
import { useKeys } from '../../hooks/use-keys.ts'
import type { PageSession } from '../../hooks/use-session.ts'
import type { PageSpent, TurnCost } from '../../hooks/use-spent.ts'
import { markedHandles, markUpTo, NO_ROWS, toggleRow } from '../../state/marked-rows.ts'
import { entryPreview, speakerOf, type TextBlock } from '../../text/entry-text.ts'
import { clock, localDateTime } from '../../text/times.ts'
import { visibleLine } from '../../text/visible.ts'
import { Text } from '../text.tsx'
import { canLeaveOut, canPutBack, LeaveOutBar, putBackLabel } from './leave-out-bar.tsx'
import { VirtualList } from './virtual-list.tsx'

const ROW_HEIGHT = 30
const PAGE = 20

type Props = {
  readonly session: PageSession
  readonly spent: PageSpent | undefined
  readonly selected: number | undefined
  readonly onEntry: (seq: number) => void
  readonly onCompaction: (seq: number) => void
}

/** Every entry of the log, masked and compacted ones too. Messages in the context can be marked, to leave them out. */
export function Log({ session, spent, selected, onEntry, onCompaction }: Props) {
  const { log, lastSeq } = session
  const changes = useChanges(session.id)
  const [marked, setMarked] = useState(NO_ROWS)
  const clear = () => setMarked(NO_ROWS)
  const markable = (seq: number) => {
    const entry = log.at(seq)
    return changes.allowed && entry !== undefined && canLeaveOut(entry)
  }
  const mark = (seq: number, how: typeof toggleRow) => () => {
    if (markable(seq)) setMarked((rows) => how(rows, seq))
  }
  const onRange = useCallback((first: number, last: number) => log.show(first + 1, Math.max(1, last)), [log])
  const at = selected ?? lastSeq + 1
  const move = (to: number) => () => onEntry(Math.max(1, Math.min(lastSeq, to)))
  useKeys({
    ArrowDown: move(at + 1),
    j: move(at + 1),
    ArrowUp: move(at - 1),
    k: move(at - 1),
    PageDown: move(at + PAGE),
    PageUp: move(at - PAGE),
    Home: move(1),
    End: move(lastSeq),
    Enter: log.at(at)?.type === 'compaction' ? () => onCompaction(at) : undefined,
    x: mark(at, toggleRow),
    X: mark(at, markUpTo),
  })
  useKeys({ Escape: marked.seqs.size === 0 ? undefined : clear }, 'first')
  if (lastSeq === 0) return <p class="empty">Nothing has been said yet.</p>
  return (
    <>
      <VirtualList
        count={lastSeq}
        rowHeight={ROW_HEIGHT}
        label="Entries"
        at={selected === undefined ? undefined : selected - 1}
        followsEnd
        onRange={onRange}
        row={(index) => {
          const seq = index + 1
          const entry = log.at(seq)
          const open = entry?.type === 'compaction' ? onCompaction : onEntry
          return (
            <LogRow
              key={index}
              seq={seq}
              entry={entry}
              turn={spent?.turns.get(seq)}
              isMissing={log.has(seq)}
              isSelected={selected === seq}
              onOpen={() => open(seq)}
              isMarked={markable(seq) ? marked.seqs.has(seq) : undefined}
              onMark={changes.allowed ? (isUpTo) => mark(seq, isUpTo ? markUpTo : toggleRow)() : undefined}
              onPutBack={changes.allowed ? changes.putBackLeftOut : undefined}
            />
          )
        }}
      />
      {marked.seqs.size > 0 && (
        <LeaveOutBar session={session} what={markedHandles(marked)} changes={changes} onClear={clear} />
      )}
    </>
  )
}

type RowProps = {
  readonly seq: number
  readonly entry: WirePlacedEntry | undefined
  /** The turn that begins with this entry, if its cost is shown. */
  readonly turn?: TurnCost | undefined
  /** The page of the log was loaded and does not contain this entry. */
  readonly isMissing: boolean
  readonly isSelected: boolean
  readonly onOpen: () => void
  /** Absent for a row that cannot be marked. */
  readonly isMarked?: boolean | undefined
  /** Marks the row, or with `isUpTo` all rows up to it. */
  readonly onMark?: ((isUpTo: boolean) => void) | undefined
  readonly onPutBack?: ((entry: WirePlacedEntry) => void) | undefined
}

/**
 * One line of the log: speaker, text, place in the view and size of an entry. An option may have no buttons in it, so the mark and
 * *Put back* are for the mouse and for touch; keys and the panel of the entry do the same.
 */
export function LogRow(props: RowProps) {
  const { seq, entry, turn, isMissing, isSelected, onOpen, isMarked, onMark, onPutBack } = props
  if (entry === undefined)
    return <div class="log-row loading">{isMissing ? `#${seq} cannot be read; it is set aside` : ''}</div>
  const speaker = speakerOf(entry)
  const classes = ['log-row', entry.type === 'message' ? 'said' : 'change', `place-${entry.place}`, `by-${speaker}`]
  if (onMark !== undefined) classes.push('with-mark')
  if (isMarked === true) classes.push('marked')
  const act = (action: () => void) => (event: Event) => {
    event.stopPropagation()
    action()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself takes the keys of its rows.
    // biome-ignore lint/a11y/useFocusableInteractive: the list itself takes the focus of its rows.
    <div
      class={isSelected ? [...classes, 'selected'].join(' ') : classes.join(' ')}
      role="option"
      aria-selected={isSelected}
      aria-checked={isMarked}
      data-seq={seq}
      // Otherwise a click with Shift selects text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={(event) => (event.shiftKey && isMarked !== undefined ? onMark?.(true) : onOpen())}
    >
      {onMark !== undefined && (
        <span
          class={isMarked === undefined ? 'mark-box' : 'mark-box there'}
          aria-hidden="true"
          onClick={(event) => isMarked !== undefined && act(() => onMark(event.shiftKey))(event)}
        />
      )}
      <span class="seq">#{seq}</span>
      <time title={localDateTime(entry.at)}>{clock(entry.at)}</time>
      <span class="speaker">{speaker}</span>
      <span class="said-text" dir="auto">
        {visibleLine(entryPreview(entry))}
      </span>
      {canPutBack(entry) && onPutBack !== undefined ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: the panel of the entry has a button.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the panel of the entry has a button.
        <span class="place row-action" onClick={act(() => onPutBack(entry))}>
          {putBackLabel(entry)}
        </span>
      ) : (
        <span class="place" title={turn && turnText(turn)}>
          {[placeText(entry), rowCost(entry, turn)].filter((text) => text !== '').join(' · ')}
        </span>
      )}
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
