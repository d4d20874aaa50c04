import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

type ListProps = {
  readonly count: number
  readonly rowHeight: number
  readonly label: string
  readonly row: (index: number) => ComponentChildren
  /** The row that must be in sight; the list scrolls when it changes. */
  readonly at?: number | undefined
  /** A list that is scrolled to its end stays there while rows are added. */
  readonly followsEnd?: boolean
  readonly onRange?: (first: number, last: number) => void
}

const ROWS_AROUND = 10

/** A list of any length that renders only the rows in sight; all rows have one height. */
export function VirtualList(props: ListProps) {
  const { count, rowHeight, at, followsEnd, onRange } = props
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const isAtEnd = useRef(followsEnd ?? false)
  const total = count * rowHeight

  const measure = () => {
    const element = box.current
    if (element === null) return
    isAtEnd.current = element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight
    setView({ top: element.scrollTop, height: element.clientHeight })
  }
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    if (box.current !== null) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (box.current !== null && followsEnd === true && isAtEnd.current) box.current.scrollTop = total
  }, [total])
  useLayoutEffect(() => {
    const element = box.current
    if (element === null || at === undefined || at < 0) return
    const top = at * rowHeight
    if (top < element.scrollTop || top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top - element.clientHeight / 2
  }, [at])

  const first = Math.max(0, Math.floor(view.top / rowHeight) - ROWS_AROUND)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + ROWS_AROUND)
  useEffect(() => onRange?.(first, last), [first, last, onRange])
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)
  return (
    <div ref={box} class="virtual" role="listbox" tabIndex={0} aria-label={props.label} onScroll={measure}>
      <div class="virtual-all" style={{ height: `${total}px` }}>
        <div class="virtual-rows" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {rows.map((index) => props.row(index))}
        </div>
      </div>
    </div>
  )
}
