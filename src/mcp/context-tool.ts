import { z } from 'zod'
import { type Context, statusIn, withSettings } from '../engine/context/context.ts'
import { openContext } from '../engine/context/open-context.ts'
import { contextParts } from '../engine/report/context-parts.ts'
import { largestItems } from '../engine/report/item-names.ts'
import { count, percentOf } from '../engine/report/numbers.ts'
import { notInLogLines, PART_TITLES } from '../engine/report/part-names.ts'
import { nextCompaction } from '../engine/report/skip.ts'
import { fullText, sourceText } from '../engine/report/status-text.ts'
import { droppableLines } from '../session/model-requests.ts'
import type { Status } from '../tokens/status.ts'
import { CONTEXT_TEXTS } from './descriptions.ts'
import { chosenSession, type McpTool, type SessionLog, sessionLine, withinAnswer } from './found-session.ts'

const inputSchema = z.strictObject({})

/** Reports how full the context is, what fills it, and when it is compacted next. */
export const contextTool: McpTool<z.infer<typeof inputSchema>> = {
  name: 'context',
  description: CONTEXT_TEXTS.description,
  input: inputSchema,
  isReadOnly: true,
  run: async (_, { finder }) => {
    const chosen = await chosenSession(finder)
    const log = await chosen.session.read()
    const lines = [sessionLine(chosen, log), '', ...contextLines(log, chosen.session.agent)]
    if (finder.request !== undefined) lines.push('', ...droppableLines(contextOf(log)))
    return withinAnswer(() => lines.join('\n'))
  },
}

const LARGEST = 8

function contextLines(log: SessionLog, agent: string): string[] {
  const context = contextOf(log)
  const now = statusIn(context)
  const whole = now.window ?? now.tokens
  const parts = contextParts(context, { status: now })
  return [
    `${fullText(now)} (${sourceText(now)})`,
    nextText(log, context, now, agent),
    '',
    'What fills it, in tokens:',
    ...parts
      .filter(({ tokens }) => tokens > 0)
      .map(({ name, tokens }) => `- ${PART_TITLES[name]}: ${count(tokens)} (${percentOf(tokens, whole)})`),
    ...notInLogLines(parts),
    '',
    'The largest entries:',
    ...largestItems(context, LARGEST).map(({ seq, name, tokens }) => `- #${seq} ${name}: ${count(tokens)}`),
  ]
}

function contextOf({ entries, model, system, policy }: SessionLog): Context {
  return openContext(entries, { policy, model, fixed: { system } })
}

function nextText({ policy: patch, entries }: SessionLog, context: Context, { tokens }: Status, agent: string): string {
  if (patch !== undefined) {
    // The agent's prompt and tools are not known here, so the trigger is computed for the conversation alone.
    const { policy, budget } = withSettings(context, { ...context.settings, fixed: undefined })
    return nextCompaction({ mode: policy.mode, budget, tokens, readTokens: tokens, whySkipped: () => undefined })
  }
  const last = entries.findLast((entry) => entry.type === 'compaction' && entry.reason !== 'manual')
  const at = last?.type === 'compaction' && last.tokensBefore > 0 ? last.tokensBefore : undefined
  const how = at === undefined ? '' : `: last time by itself at ${count(at)} tokens`
  return `${agent} decides when it compacts${how}`
}
