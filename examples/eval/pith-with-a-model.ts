/**
 * Pith with a model that writes the summary; the facts still come from the log. It fails if the model does.
 * MODEL_URL=http://localhost:11434/v1 MODEL=qwen3 pith eval --compactor ./pith-with-a-model.ts
 */
import { compactMessages, type Message, type SummaryModel } from '../../src/index.ts' // in your program: from 'pith'
import { chat } from './chat.ts'

type Options = { windowTokens: number; targetTokens: number; unreadTokens: number; session: string; round: number }

const model: SummaryModel = {
  name: `my/${process.env.MODEL}`,
  async *stream({ system, messages, maxOutputTokens }, signal) {
    yield (await chat([{ role: 'system', content: system }, ...messages], maxOutputTokens, signal)).text
  },
}
const states = new Map<string, unknown>()

export default async function compact(messages: Message[], options: Options) {
  const { windowTokens, targetTokens, unreadTokens, session, round } = options
  const result = await compactMessages(messages, {
    window: windowTokens,
    reason: 'manual',
    policy: { targetMaxTokens: Math.max(targetTokens - unreadTokens, 1_000), rungs: ['cold'] },
    summaryModels: [model],
    state: round === 1 ? undefined : states.get(session),
  })
  if (!result.compacted) throw new Error(`the model wrote no summary: ${result.reason}`)
  states.set(session, result.state)
  return result.messages
}
