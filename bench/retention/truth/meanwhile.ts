import type { Message } from '../../../src/engine.ts'
import { personText } from '../../../src/eval/truth/prompts.ts'
import { toolSteps } from '../../../src/eval/truth/steps.ts'

/** The texts that the user typed while the agent worked: between its calls, when rejecting one, or as the answer to its question. */
export function typedMeanwhile(messages: readonly Message[]): string[] {
  const between = messages.flatMap((message, i) => (messages[i - 1]?.role === 'tool' ? [personText(message)] : []))
  const given = toolSteps(messages).flatMap(({ output = '' }) => [...rejectionIn(output), ...answersIn(output)])
  const texts = [...between, ...given].map((text) => text.trim().slice(0, MOST_CHARACTERS))
  return [...new Set(texts)].filter((text) => text.length >= LEAST_CHARACTERS && !BY_PROGRAM.test(text))
}

const MOST_CHARACTERS = 300
const LEAST_CHARACTERS = 8
/** OpenCode says this in the user's role after each task. */
const BY_PROGRAM = /^Summarize the task tool output above/

function rejectionIn(output: string): string[] {
  const said = /^The user doesn't want to [^\n]*the user said:\n([^\n]+)/.exec(output)?.[1]
  return said === undefined ? [] : [said]
}

function answersIn(output: string): string[] {
  const answered = /^User has answered your questions: ([\s\S]*)/.exec(output)?.[1] ?? ''
  return [...answered.matchAll(/"="([^"]+)"/g)].map((match) => match[1] ?? '')
}
