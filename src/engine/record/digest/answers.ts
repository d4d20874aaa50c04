import { outputText, resultsOf } from '../../../model/message.ts'
import type { Item } from '../../../model/view.ts'
import { clip } from '../../text/clip.ts'
import { handle } from '../../text/handle.ts'
import type { Snippet } from './render-within.ts'

const CHARACTERS = [600, 400, 300, 200, 140] as const

/** The user's decisions where an agent asked with a tool: answers to its questions, approved plans. */
export function answersOf(items: readonly Item[]): Snippet[] {
  return items.flatMap((item): Snippet[] =>
    item.kind === 'summary'
      ? []
      : resultsOf(item.message).flatMap(({ output }): Snippet[] => {
          const answer = ANSWER.exec(outputText(output).slice(0, 4_000))
          if (answer === null) return []
          const text = answer[0].replace(/ You can now continue with the user's answers in mind\.?$/, '')
          return [
            {
              priority: 1e10 + item.seq,
              render: (level) => `- ${handle(item.seq)} ${clip(text, CHARACTERS[level] ?? 140)}`,
            },
          ]
        }),
  )
}

/** Claude Code's words for it. */
const ANSWER = /^User has (?:answered your questions?|approved your plan)[\s\S]*/
