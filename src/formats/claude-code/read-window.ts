import { contentBlocks } from '../anthropic/read.ts'
import { type Fields, fields, text } from '../shared/json.ts'
import type { SessionBuilder } from '../shared/log-builder.ts'

/** Notes what a line of the main conversation says about the window: the model that was chosen, and refused requests. */
export function readWindow(session: SessionBuilder, line: Fields): void {
  if (line.isSidechain === true) return
  const { facts } = session
  const message = fields(line.message)
  if (isOfMillion(text(message?.model))) facts.window = MILLION
  const content = message?.content ?? line.content
  if (line.isApiErrorMessage === true) session.refused(wordsOf(content))
  else if (line.type === 'user' || line.type === 'system') {
    const chosen = typeof content === 'string' ? CHOSEN.exec(content)?.[1] : undefined
    if (chosen !== undefined) facts.window = isOfMillion(chosen) ? MILLION : undefined
  }
}

const MILLION = 1_000_000

/** The output of the command `/model`: `Set model to opus[1m] (claude-opus-4-6[1m])`, later `Set model to Opus 4.6 (1M context)`. */
const CHOSEN = /^\s*<local-command-stdout>Set model to (.+)/

function isOfMillion(model = ''): boolean {
  return /\[1m\]|\b1M context\b/i.test(model)
}

/** The name of a model without the mark of its window, which the API does not know. */
export function withoutWindow(model: string): string {
  return model.replace(/\[1m\]$/i, '')
}

function wordsOf(content: unknown): string {
  return contentBlocks(content)
    .map((block) => text(block.text) ?? '')
    .join('\n')
}
