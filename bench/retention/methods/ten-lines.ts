import { personText } from '../../../src/eval/truth/prompts.ts'
import { toolSteps } from '../../../src/eval/truth/steps.ts'
import { editedBy, readBy } from '../../../src/eval/truth/tools.ts'
import { textOf } from '../../../src/model/types.ts'
import type { Cut } from '../cuts.ts'

/** A script that anybody could write in ten lines: file names, prompts cut at 200 characters, the newest words to fill the rest. */
export function tenLineScript({ span }: Pick<Cut, 'span'>, characters = 12_000): string {
  const messages = span.map(({ message }) => message)
  const files = new Set(toolSteps(messages).flatMap((step) => [...editedBy(step), ...readBy(step)]))
  const prompts = messages.map((message) => personText(message).slice(0, 200)).filter((text) => text !== '')
  const words = messages.filter(({ role }) => role === 'assistant').map(textOf)
  const facts = [...files, ...prompts].join('\n').slice(0, characters)
  const room = characters - facts.length - 1
  return room <= 0 ? facts : `${facts}\n${words.join('\n').slice(-room)}`
}
