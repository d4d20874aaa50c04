import type { Agent } from '../../agent/agent.ts'
import { preview } from '../../engine/compact/preview.ts'
import { estimatorOf } from '../../engine/measure/estimator-of.ts'
import { contextParts } from '../../engine/report/context-parts.ts'
import { itemNames } from '../../engine/report/item-names.ts'
import { count } from '../../engine/report/numbers.ts'
import { messageTokens } from '../../tokens/estimate/estimate.ts'
import { type ContextReport, PARTS, type PolicyReport } from '../port-data.ts'

const LARGEST = 5

/** What the window is filled with. The shares are estimated; together they are what the status line says. */
export function contextReport(agent: Agent, model: string, policy: PolicyReport): ContextReport {
  const { live, info } = agent
  const estimator = estimatorOf(agent.policy, live.log, info)
  const items = live.view.items.slice()
  const status = agent.status()
  const shares = contextParts({
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
    parts: PARTS.map((name) => ({ name, tokens: shares.find((share) => share.name === name)?.tokens ?? 0 })),
    reserve: agent.budget().reserve,
    largest,
    policy,
    next: nextCompaction(agent),
  }
}

/** When the next automatic compaction comes, as far as that can be said. */
function nextCompaction(agent: Agent): string {
  const { policy, info, live } = agent
  if (policy.mode === 'off') return 'Automatic compaction is off: /compact does it by hand'
  const { trigger, coldTrigger = trigger } = agent.budget()
  if (trigger === undefined) return 'No automatic compaction: the window of the model is not known'
  const { tokens } = agent.status()
  const asked = policy.mode === 'ask' ? ', and you are asked first' : ''
  const at = `at ${count(trigger)} tokens`
  if (tokens < trigger) {
    const cold = coldTrigger === trigger || asked !== '' ? '' : `, or at ${count(coldTrigger ?? 0)} after a pause`
    return `The next automatic compaction comes ${at}, ${count(trigger - tokens)} from now${cold}${asked}`
  }
  const input = {
    log: live.log,
    view: live.view,
    policy: agent.policyPatch,
    model: info,
    fixed: agent.fixed(),
    clock: agent.deps.clock,
  }
  const plan = preview({ ...input, reason: 'threshold' })
  if (plan.kind === 'keep') return `No automatic compaction yet, though it is due ${at}: ${plan.reason}`
  return `The next automatic compaction comes with the next message${asked}`
}
