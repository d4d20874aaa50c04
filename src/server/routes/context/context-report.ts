import type { z } from '@hono/zod-openapi'
import type { contextSchema } from '../../../contract/shapes.ts'
import { preview } from '../../../engine/compact/preview.ts'
import { estimatorOf } from '../../../engine/measure/estimator-of.ts'
import { oneLine } from '../../../engine/text/one-line.ts'
import { callsOf, resultsOf, textOf } from '../../../model/message.ts'
import { policyOf } from '../../../model/presets.ts'
import type { Item } from '../../../model/view.ts'
import { messageTokens } from '../../../tokens/estimate/estimate.ts'
import type { Status } from '../../../tokens/status.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { budgetFor, isDue, type Measure, statusFor, wirePolicy } from '../sessions/session-report.ts'
import { addItem, fixedSizes, scaledTo } from './context-parts.ts'

const LARGEST = 5
const NAME_CHARACTERS = 60

/** What the window of a session is filled with. The shares are estimated; together they are what the status says. */
export function contextReport(served: ServedSession, measure: Measure): z.infer<typeof contextSchema> {
  const { live } = served
  const { model, policy, fixed } = measure
  const estimator = estimatorOf(policyOf(policy), live.log, model.info)
  const items = live.view.items.slice()
  const status = statusFor(served, measure)
  const parts = fixedSizes(fixed, estimator)
  for (const item of items) addItem(parts, item, estimator)
  const largest = items
    .map((item) => ({ item, tokens: messageTokens(item.message, estimator) }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, LARGEST)
  return {
    ...(model.name === undefined ? {} : { model: model.name }),
    status,
    parts: scaledTo(parts, status.tokens),
    budget: budgetFor(served, measure),
    largest: largest.map(({ item, tokens }) => ({ seq: item.seq, name: nameOf(item), tokens })),
    messages: items.length,
    compaction_due: isDue(served, measure, status),
    next: nextCompaction(served, measure, status),
    policy: wirePolicy(policy),
  }
}

function nameOf(item: Item): string {
  const { message } = item
  if (item.kind === 'summary') return `summary of #${Math.max(1, item.from)}–#${item.upTo}`
  const [result] = message.role === 'tool' ? resultsOf(message) : []
  if (result !== undefined) return `result of ${oneLine(result.toolName, NAME_CHARACTERS)}`
  const said = oneLine(textOf(message), NAME_CHARACTERS)
  const [call] = callsOf(message)
  return said === '' && call !== undefined
    ? `call of ${oneLine(call.toolName, NAME_CHARACTERS)}`
    : `${message.role}: ${said}`
}

/** When the next automatic compaction comes, as far as that can be said. */
function nextCompaction(served: ServedSession, measure: Measure, { tokens }: Status): string {
  const { live } = served
  const { model, policy, fixed, pending } = measure
  const { mode } = policyOf(policy)
  if (mode === 'off') return 'Automatic compaction is off'
  const { trigger, coldTrigger = trigger } = budgetFor(served, measure)
  if (trigger === undefined) return 'No automatic compaction: the window of the model is not known'
  const at = `at ${trigger.toLocaleString('en')} tokens`
  if (tokens < trigger) {
    const cold = coldTrigger === trigger ? '' : `, or at ${(coldTrigger ?? 0).toLocaleString('en')} after a pause`
    return `The next automatic compaction comes ${at}, ${(trigger - tokens).toLocaleString('en')} from now${cold}`
  }
  const plan = preview({
    log: live.log,
    view: live.view,
    policy,
    model: model.info,
    fixed,
    pending,
    reason: 'threshold',
  })
  return plan.kind === 'keep'
    ? `No automatic compaction yet, though it is due ${at}: ${plan.reason}`
    : 'The next automatic compaction comes with the next message'
}
