import { useMemo } from 'preact/hooks'
import type { WireCompactionDetail } from '../../../src/contract/shapes/compaction-shapes.ts'
import { counted } from '../../../src/engine/report/numbers.ts'
import { type PageRoute, routeHash } from '../../state/page-route.ts'
import { type DiffRun, recordDiff } from '../../text/record-diff.ts'
import { VisibleText } from '../text.tsx'

/** How many lines around a change are shown. */
const AROUND = 1

/** The difference between this record and the one before it; nothing for the first record. */
export function RecordDifference({ detail, route }: { detail: WireCompactionDetail; route: PageRoute }) {
  const { earlier, record } = detail
  const runs = useMemo(() => (earlier === undefined ? [] : recordDiff(earlier.record, record)), [earlier, record])
  if (earlier === undefined) return null
  return (
    <details class="side">
      <summary>
        <h2>Difference to the record before</h2> <span class="soft small">{differenceText(runs)}</span>
      </summary>
      <p class="soft small pad">
        Against the record of{' '}
        <a href={routeHash({ session: route.session, compaction: earlier.seq })}>#{earlier.seq}</a>.
      </p>
      <div class="difference" dir="auto">
        {runs.map((run, i) => (
          <Run key={i} run={run} isFirst={i === 0} isLast={i === runs.length - 1} />
        ))}
      </div>
    </details>
  )
}

function differenceText(runs: readonly DiffRun[]): string {
  const lines = (kind: DiffRun['kind']) => runs.filter((run) => run.kind === kind).flatMap((run) => run.lines).length
  const [added, removed] = [lines('added'), lines('removed')]
  return added + removed === 0 ? 'none' : `${counted(added, 'line')} added, ${counted(removed, 'line')} removed`
}

function Run({ run: { kind, lines }, isFirst, isLast }: { run: DiffRun; isFirst: boolean; isLast: boolean }) {
  if (kind === 'added')
    return (
      <>
        {lines.map((line, i) => (
          <ins key={i}>
            + <VisibleText text={line} />
          </ins>
        ))}
      </>
    )
  if (kind === 'removed')
    return (
      <>
        {lines.map((line, i) => (
          <del key={i}>
            − <VisibleText text={line} />
          </del>
        ))}
      </>
    )
  const [head, tail] = [isFirst ? 0 : AROUND, isLast ? 0 : AROUND]
  const left = lines.length - head - tail
  const shown = left > 1 ? [...lines.slice(0, head), undefined, ...lines.slice(lines.length - tail)] : lines
  return (
    <>
      {shown.map((line, i) => (
        <span key={i} class="soft">
          {line === undefined ? `… ${counted(left, 'line')} in both` : <VisibleText text={`  ${line}`} />}
        </span>
      ))}
    </>
  )
}
