import type { Agent } from '../../agent/agent.ts'
import { estimatorOf } from '../../engine/estimator-of.ts'
import { preview } from '../../engine/preview.ts'
import { partsOf } from '../../model/message.ts'
import type { Item } from '../../model/view.ts'
import { budgetOf } from '../../tokens/budget.ts'
import { type Estimator, fixedTokens, messageTokens } from '../../tokens/estimate.ts'
import { count } from '../numbers.ts'
import { type ContextReport, PARTS, type PartName, type PolicyReport } from '../port-data.ts'
import { itemNames } from './item-names.ts'
import { scaled } from './scaled.ts'

const LARGEST = 5

/** What the window is filled with. The shares are estimated; together they are what the status line says. */
export function contextReport(agent: Agent, model: string, policy: PolicyReport): ContextReport {
  const { live, info } = agent
  const estimator = estimatorOf(agent.policy, live.log, info)
  const items = live.view.items.slice()
  const status = agent.status()
  const sizes = partSizes(agent, items, estimator)
  const tokens = scaled(
    PARTS.map((name) => sizes[name]),
    status.tokens,
  )
  const names = itemNames(items)
  const largest = items
    .map((item, i) => ({ name: names[i] ?? '', tokens: messageTokens(item.message, estimator) }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, LARGEST)
  return {
    model,
    status,
    parts: PARTS.map((name, i) => ({ name, tokens: tokens[i] ?? 0 })),
    reserve: budgetOf(agent.policy, info.contextWindow, info.maxInput).reserve,
    largest,
    policy,
    next: nextCompaction(agent),
  }
}

function partSizes(agent: Agent, items: readonly Item[], estimator: Estimator): Record<PartName, number> {
  const sizes: Record<PartName, number> = {
    ...fixedTokens(agent.fixed(), estimator),
    summary: 0,
    index: 0,
    user: 0,
    assistant: 0,
    'tool results': 0,
    reasoning: 0,
  }
  for (const item of items) addItem(sizes, item, estimator)
  return sizes
}

function addItem(sizes: Record<PartName, number>, item: Item, estimator: Estimator): void {
  const { message } = item
  const whole = messageTokens(message, estimator)
  if (item.kind === 'summary') {
    const narrative = Math.min(whole, estimator.text(item.text))
    sizes.summary += narrative
    sizes.index += whole - narrative
    return
  }
  if (message.role === 'tool') sizes['tool results'] += whole
  else if (message.role !== 'assistant') sizes.user += whole
  else {
    const thought = partsOf(message).reduce(
      (sum, part) => sum + (part.type === 'reasoning' ? estimator.text(part.text) : 0),
      0,
    )
    sizes.reasoning += thought
    sizes.assistant += whole - thought
  }
}

/** When the next automatic compaction comes, as far as that can be said. */
function nextCompaction(agent: Agent): string {
  const { policy, info, live } = agent
  if (policy.mode === 'off') return 'Automatic compaction is off: /compact does it by hand'
  const { trigger } = budgetOf(policy, info.contextWindow, info.maxInput)
  if (trigger === undefined) return 'No automatic compaction: the window of the model is not known'
  const { tokens } = agent.status()
  const asked = policy.mode === 'ask' ? ', and you are asked first' : ''
  const at = `at ${count(trigger)} tokens`
  if (tokens < trigger) return `The next automatic compaction comes ${at}, ${count(trigger - tokens)} from now${asked}`
  const input = { log: live.log, policy: agent.policyPatch, model: info, fixed: agent.fixed(), clock: agent.deps.clock }
  const plan = preview({ ...input, reason: 'threshold' })
  if (plan.kind === 'keep') return `No automatic compaction yet, though it is due ${at}: ${plan.reason}`
  return `The next automatic compaction comes with the next message${asked}`
}
