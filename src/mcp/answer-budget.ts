import { printable } from '../model/text.ts'
import { featureEstimator } from '../tokens/estimate/feature-estimator.ts'

/** The most tokens of an answer. Clients cut longer ones in the middle. */
export const ANSWER_TOKENS = 6_000

/** A text within the budget, safe for a terminal. `render` writes it with about the given number of characters. */
export function withinAnswer(render: (characters: number) => string): string {
  let characters = ANSWER_TOKENS * 4
  for (;;) {
    const text = printable(render(characters))
    const tokens = featureEstimator.text(text)
    if (tokens <= ANSWER_TOKENS || characters <= LEAST) return text
    characters = Math.max(LEAST, Math.floor((characters * ANSWER_TOKENS * 0.9) / tokens))
  }
}

const LEAST = 200

/** The lines that fit in this number of characters, and the number of lines that do not. */
export function fittingLines(lines: readonly string[], characters: number): string {
  let room = characters
  const end = lines.findIndex((line) => {
    room -= line.length + 1
    return room < 0
  })
  return end === -1 ? lines.join('\n') : [...lines.slice(0, end), `(and ${lines.length - end} more lines)`].join('\n')
}
