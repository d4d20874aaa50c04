import type { Message } from '../../src/engine.ts'
import { jsonText, outputText, partsOf } from '../../src/model/types.ts'
import { contestant } from '../harness/timing.ts'
import type { Entrant } from './contest.ts'
import { fresh } from './material.ts'

/** The limit for work on a whole session: every character read once. */
export const everyCharacter: Entrant = {
  name: 'every character read once',
  kind: 'limit',
  enter: (material) =>
    contestant({
      name: '',
      prepare: () => fresh(material).map((messages) => messages.flatMap(textsOf)),
      run: (all) => all.map(readAll),
    }),
}

/** The limit for work on each new message: its characters read once. */
export function itsCharacters(messages: readonly Message[]): Entrant {
  return {
    name: 'its characters read once',
    kind: 'limit',
    enter: () =>
      contestant({
        name: '',
        times: messages.length,
        prepare: () => messages.map((message) => textsOf(structuredClone(message))),
        run: (all) => all.map(readAll),
      }),
  }
}

/** The texts of a message that a model would see. */
export function textsOf(message: Message): string[] {
  return partsOf(message).flatMap((part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return [part.text]
      case 'tool-call':
        return [jsonText(part.input)]
      case 'tool-result':
        return [outputText(part.output)]
      default:
        return []
    }
  })
}

/** Looks at every character once. A count that uses more than lengths cannot do less. */
export function readAll(texts: readonly string[]): number {
  let sum = 0
  for (const text of texts) for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0
  return sum
}
