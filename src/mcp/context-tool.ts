import { z } from 'zod'
import { estimatorOf } from '../engine/context/measure/estimator-of.ts'
import { viewOf } from '../engine/context/view/view-of.ts'
import { contextParts } from '../engine/report/context-parts.ts'
import { itemNames } from '../engine/report/item-names.ts'
import { nextCompaction } from '../engine/report/next-compaction.ts'
import { count, percentOf, percentText } from '../engine/report/numbers.ts'
import { PART_TITLES } from '../engine/report/part-names.ts'
import { sourceText } from '../engine/report/source-text.ts'
import { policyOf } from '../model/policy/presets.ts'
import { budgetOf } from '../tokens/budget.ts'
import { messageTokens } from '../tokens/estimate/estimator.ts'
import { type Status, status } from '../tokens/status.ts'
import { withinAnswer } from './answer-budget.ts'
import { chosenSession, sessionLine } from './chosen-session.ts'
import { CONTEXT_TEXTS } from './descriptions.ts'
import type { SessionLog } from './found-session.ts'
import type { McpTool } from './tool.ts'

const inputSchema = z.strictObject({})

/** Says how full the context is, what fills it, and when it is compacted next. */
export const contextTool: McpTool<z.infer<typeof inputSchema>> = {
  name: 'context',
  description: CONTEXT_TEXTS.description,
  input: inputSchema,
  isReadOnly: true,
  run: async (_, { finder }) => {
    const chosen = await chosenSession(finder)
    const log = await chosen.session.read()
    const lines = [sessionLine(chosen, log), '', ...contextLines(log, chosen.session.agent)]
    return withinAnswer(() => lines.join('\n'))
  },
}

const LARGEST = 8

function contextLines(log: SessionLog, agent: string): string[] {
  const { entries, model, system, policy } = log
  const estimator = estimatorOf(policyOf(policy), entries, model)
  const view = viewOf(entries)
  const fixed = { system }
  const now = status({ view, model, fixed, estimator })
  const whole = now.window ?? now.tokens
  const parts = contextParts({ view, estimator, tokens: now.tokens, fixed, isFixedKnown: false })
  const items = view.items.slice()
  const names = itemNames(items)
  const largest = items
    .map((item, i) => ({ name: `#${item.seq} ${names[i] ?? ''}`, tokens: messageTokens(item.message, estimator) }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, LARGEST)
  return [
    `${fullText(now)} (${sourceText(now)})`,
    nextText(log, now, agent),
    '',
    'What fills it, in tokens:',
    ...parts
      .filter(({ tokens }) => tokens > 0)
      .map(({ name, tokens }) => `- ${PART_TITLES[name]}: ${count(tokens)} (${percentOf(tokens, whole)})`),
    '',
    'The largest entries:',
    ...largest.map(({ name, tokens }) => `- ${name}: ${count(tokens)}`),
  ]
}

function fullText({ tokens, window, percent }: Status): string {
  return window === undefined
    ? `${count(tokens)} tokens; the window is not known`
    : `${percentText({ percent })} full: ${count(tokens)} of ${count(window)} tokens`
}

function nextText({ policy, model, entries }: SessionLog, { tokens, window }: Status, agent: string): string {
  if (policy !== undefined) {
    const own = policyOf(policy)
    const budget = budgetOf(own, model.contextWindow, model.maxInput)
    return nextCompaction({ mode: own.mode, budget, tokens, readTokens: tokens, whySkipped: () => undefined })
  }
  const last = entries.findLast((entry) => entry.type === 'compaction' && entry.reason !== 'manual')
  const at = last?.type === 'compaction' && last.tokensBefore > 0 ? last.tokensBefore : undefined
  if (at !== undefined)
    return `${agent} decides when it compacts: last time by itself at ${count(at)} tokens, ${leftText(at - tokens)}`
  const left = window === undefined ? '' : `; ${count(Math.max(0, window - tokens))} tokens of the window are left`
  return `${agent} decides when it compacts, and has not done so by itself in this session${left}`
}

function leftText(tokens: number): string {
  return tokens > 0 ? `${count(tokens)} from now` : 'which is reached again'
}
