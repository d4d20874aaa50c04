import { useCallback } from 'preact/hooks'
import type { SessionState } from '../state/use-session.ts'
import { LogRow } from './log-row.tsx'
import { VirtualList } from './virtual-list.tsx'

export const ROW_HEIGHT = 30

type Props = {
  readonly session: SessionState
  readonly selected: number | undefined
  readonly onEntry: (seq: number) => void
  readonly onCompaction: (seq: number) => void
}

/** Every entry of the log in its place: what is masked or compacted stays to be seen. */
export function Log({ session, selected, onEntry, onCompaction }: Props) {
  const { log, lastSeq } = session
  const onRange = useCallback((first: number, last: number) => log.show(first + 1, Math.max(1, last)), [log])
  const move = (to: number) => onEntry(Math.max(1, Math.min(lastSeq, to)))
  const onKey = (event: KeyboardEvent) => {
    const to = target(event.key, selected ?? lastSeq + 1, lastSeq)
    if (to !== undefined) {
      event.preventDefault()
      move(to)
    } else if (event.key === 'Enter' && selected !== undefined && log.at(selected)?.type === 'compaction') {
      event.preventDefault()
      onCompaction(selected)
    }
  }
  if (lastSeq === 0) return <p class="empty">Nothing has been said yet.</p>
  return (
    <VirtualList
      count={lastSeq}
      rowHeight={ROW_HEIGHT}
      label="Entries"
      at={selected === undefined ? undefined : selected - 1}
      followsEnd
      onRange={onRange}
      onKey={onKey}
      row={(index) => {
        const entry = log.at(index + 1)
        const open = entry?.type === 'compaction' ? onCompaction : onEntry
        return (
          <LogRow
            key={index}
            seq={index + 1}
            entry={entry}
            isMissing={log.has(index + 1)}
            isSelected={selected === index + 1}
            onOpen={() => open(index + 1)}
          />
        )
      }}
    />
  )
}

function target(key: string, at: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return at + 1
    case 'ArrowUp':
    case 'k':
      return at - 1
    case 'PageDown':
      return at + 20
    case 'PageUp':
      return at - 20
    case 'Home':
      return 1
    case 'End':
      return last
    default:
      return undefined
  }
}
