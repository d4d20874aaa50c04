import type { Agent } from '../../agent/agent.ts'
import { plannedCompaction } from '../../agent/compaction/planned-compaction.ts'
import { estimatorOf } from '../../engine/measure/estimator-of.ts'
import { contextParts } from '../../engine/report/context-parts.ts'
import { itemNames } from '../../engine/report/item-names.ts'
import { nextCompaction } from '../../engine/report/next-compaction.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import type { ContextReport, PolicyReport } from '../port-data.ts'

const LARGEST = 5

/** What the window is filled with. The shares are estimated; together they are what the status line says. */
export function contextReport(agent: Agent, model: string, policy: PolicyReport): ContextReport {
  const { live, info } = agent
  const estimator = estimatorOf(agent.policy, live.log, info)
  const items = live.view.items.slice()
  const status = agent.status()
  const parts = contextParts({
    view: live.view,
    estimator,
    tokens: status.tokens,
    fixed: agent.fixed(),
    isFixedKnown: true,
  })
  const names = itemNames(items)
  const largest = items
    .map((item, i) => ({ name: `#${item.seq} ${names[i] ?? ''}`, tokens: messageTokens(item.message, estimator) }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, LARGEST)
  return {
    model,
    status,
    parts,
    reserve: agent.budget().reserve,
    largest,
    policy,
    next: nextFor(agent),
  }
}

function nextFor(agent: Agent): string {
  return nextCompaction({
    mode: agent.policy.mode,
    budget: agent.budget(),
    tokens: agent.status().tokens,
    whySkipped: () => {
      const plan = plannedCompaction(agent, { reason: 'threshold' })
      return plan.kind === 'keep' ? plan.reason : undefined
    },
  })
}
