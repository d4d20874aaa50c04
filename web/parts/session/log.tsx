import { useCallback } from 'preact/hooks'
import { useKeys } from '../../hooks/use-keys.ts'
import type { PageSession } from '../../hooks/use-session.ts'
import type { PageSpent } from '../../hooks/use-spent.ts'
import { LogRow } from './log-row.tsx'
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

/** Every entry of the log, masked and compacted ones too. */
export function Log({ session, spent, selected, onEntry, onCompaction }: Props) {
  const { log, lastSeq } = session
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
  })
  if (lastSeq === 0) return <p class="empty">Nothing has been said yet.</p>
  return (
    <VirtualList
      count={lastSeq}
      rowHeight={ROW_HEIGHT}
      label="Entries"
      at={selected === undefined ? undefined : selected - 1}
      followsEnd
      onRange={onRange}
      row={(index) => {
        const entry = log.at(index + 1)
        const open = entry?.type === 'compaction' ? onCompaction : onEntry
        return (
          <LogRow
            key={index}
            seq={index + 1}
            entry={entry}
            turn={spent?.turns.get(index + 1)}
            isMissing={log.has(index + 1)}
            isSelected={selected === index + 1}
            onOpen={() => open(index + 1)}
          />
        )
      }}
    />
  )
}
