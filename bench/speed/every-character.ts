import type { Message } from '../../src/index.ts'
import { jsonText, outputText, partsOf } from '../../src/model/message.ts'

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

/** Looks at every character once: less no count can do that knows more than lengths. */
export function readAll(texts: readonly string[]): number {
  let sum = 0
  for (const text of texts) for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0
  return sum
}
