/**
 * A plain prompt: everything is sent to a model, and its answer replaces everything.
 * MODEL_URL=http://localhost:11434/v1 MODEL=qwen3 pith eval --compactor ./plain-prompt.ts
 */
import { chat } from './chat.ts'

type Message = { role: string; content: unknown }
type Options = { targetTokens: number; signal: AbortSignal }

const PROMPT = `Summarise this session of a coding agent, so that another agent can continue it.
Name files, commands and rules of the user exactly.`

export default async function compact(messages: Message[], { targetTokens, signal }: Options) {
  const content = `${PROMPT}\n\n${JSON.stringify(messages)}`
  const { text, usage } = await chat([{ role: 'user', content }], targetTokens, signal)
  return { messages: [{ role: 'user', content: text }], usage }
}
