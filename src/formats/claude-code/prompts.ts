import { type Fields, fields, list } from '../shared/json.ts'
import { type PromptCounter, promptCounter, type TypedPrompt } from '../shared/typed-prompts.ts'

/** Counts what was typed: at the prompt, or into the queue while Claude Code worked. What was taken back is not counted. */
export function countClaudeCode(): PromptCounter {
  const typed = promptCounter(wordsIn)
  let queued: TypedPrompt[] = []
  return {
    line(line, number) {
      if (line.type !== 'queue-operation') return typed.line?.(line, number)
      const text = typeof line.content === 'string' ? line.content : ''
      if (line.operation === 'enqueue' && !NO_PROMPT.test(text)) queued.push({ line: number, text, isQueued: true })
      const isBack = line.operation === 'popAll' || line.operation === 'popOne' || line.reason === 'cleared_on_cancel'
      if (isBack) queued = queued.filter((prompt) => text !== '' && !text.includes(prompt.text))
    },
    prompts: () => [...typed.prompts(), ...queued],
  }
}

/** Notices of programs, and commands to Claude Code itself. */
const NO_PROMPT = /^\s*(?:$|<[a-z-]+>|\{"task_id"|\/[a-z][\w:-]*(?:\s|$))/

function wordsIn(line: Fields): string[] {
  const kind = fields(line.origin)?.kind
  const isOthers =
    line.isSidechain === true ||
    line.isMeta === true ||
    line.isCompactSummary === true ||
    line.isVisibleInTranscriptOnly === true
  if (line.type !== 'user' || isOthers || (kind !== undefined && kind !== 'human')) return []
  const content = fields(line.message)?.content
  if (typeof content === 'string') return [content]
  return list(content).flatMap((block) => {
    const { type, text } = fields(block) ?? {}
    return type === 'text' && typeof text === 'string' ? [text] : []
  })
}
