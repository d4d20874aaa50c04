import { isAgentId } from '../../../src/contract/shapes/agent-id.ts'
import type { WireContext, WireSessionDetail } from '../../../src/contract/shapes/shapes.ts'
import { costText, count, counted, percentText } from '../../../src/engine/report/numbers.ts'
import { windowText } from '../../../src/engine/report/status-text.ts'
import type { SessionChanges } from '../../hooks/use-changes.ts'
import type { PageSpent } from '../../hooks/use-spent.ts'
import { PART_KINDS } from '../../state/plot-data.ts'
import { visibleLine } from '../../text/visible.ts'
import { Term } from '../term.tsx'

type Props = {
  context: WireContext
  detail: WireSessionDetail
  spent: PageSpent | undefined
  changes: SessionChanges
  onCompact: () => void
  onShare: () => void
}

/** How full the context is: the number, a bar by kind with the points where it is compacted, and the buttons to change it. */
export function Gauge({ context, detail, spent, changes, onCompact, onShare }: Props) {
  const { status, budget } = context
  return (
    <section class="gauge" aria-label="Context">
      <div class="gauge-number">
        <strong class={`level-${status.level}`}>{percentText(status)}</strong>
        <span class="tokens">
          {count(status.tokens)}
          {status.window === undefined ? ' tokens' : <span class="soft"> / {windowText(status)}</span>}
        </span>
        <span class="soft small">{status.source === 'provider' ? 'counted by the provider' : 'estimated'}</span>
      </div>
      <Bar context={context} />
      <p class="soft small next">
        {isAgentId(detail.id)
          ? 'A session of another agent, read-only: pith handoff passes it to another agent'
          : visibleLine(context.next, 500)}
        <span class="facts">
          {context.model !== undefined && <span class="mono">{visibleLine(context.model, 60)}</span>}
          <span>policy {detail.preset}</span>
          <span>{counted(context.messages, 'message')} in view</span>
          <span>{counted(detail.compactions, 'compaction')}</span>
          {spent !== undefined && <span>{costText(spent.cost, { known: spent.all.known_cost })}</span>}
          {budget.target !== undefined && (
            <span>
              <Term of="target">compacts down to</Term> {count(budget.target)}
            </span>
          )}
        </span>
      </p>
      {changes.allowed && (
        <div class="actions">
          <button type="button" class="primary" onClick={onCompact} title="Compact, with a preview (c)">
            Compact…
          </button>
          <button
            type="button"
            onClick={changes.undo}
            disabled={detail.undo === undefined}
            title={
              detail.undo === undefined ? 'There is nothing to undo' : `Undo the newest change, #${detail.undo} (u)`
            }
          >
            Undo
          </button>
          <button
            type="button"
            onClick={changes.redo}
            disabled={detail.redo === undefined}
            title={detail.redo === undefined ? 'There is nothing to redo' : 'Redo (r)'}
          >
            Redo
          </button>
          <button type="button" onClick={onShare} title="Read-only links to this session">
            Share…
          </button>
        </div>
      )}
    </section>
  )
}

/** The tokens from which on an end of work is compacted; undefined if it is only compacted at the trigger. */
export function endOfWorkTrigger({ policy, budget }: WireContext): number | undefined {
  return policy.mode === 'auto' ? budget.end_of_work_trigger : undefined
}

function Bar({ context }: { context: WireContext }) {
  const { status, parts, budget } = context
  const { trigger } = budget
  const endOfWork = endOfWorkTrigger(context)
  const whole = Math.max(status.window ?? 0, status.tokens, 1)
  const share = (tokens: number) => `${(100 * tokens) / whole}%`
  return (
    <div class="bar" role="img" aria-label={`${percentText(status)} of the window is used`}>
      {PART_KINDS.map(({ kind, name }) => (
        <i
          key={kind}
          class={`fill ${kind}`}
          style={{ width: share(parts[kind]) }}
          title={`${name}: ${count(parts[kind])}`}
        />
      ))}
      {trigger !== undefined && endOfWork !== undefined && (
        <i
          class="trigger end-of-work"
          style={{ left: share(endOfWork) }}
          title={`Compacts at the next end of work from ${count(endOfWork)}, at the latest at ${count(trigger)}`}
        />
      )}
      {trigger !== undefined && trigger < whole && (
        <i class="trigger" style={{ left: share(trigger) }} title={`Compacts by itself from ${count(trigger)}`} />
      )}
    </div>
  )
}
