import { isNativeCompaction } from '../../model/message/native-compaction.ts'
import { jsonText, type Message, outputText, type Part, partsOf } from '../../model/types.ts'

/**
 * The canonical form of a message: a text for each part with content. It leaves out everything that clients move or rewrite
 * between requests: cache marks, ids, reasoning, white space around a text, the order of arguments. So a provider's answer
 * has the same links as the message in which the client sends it back.
 */
export function linksOf(message: Message): string[] {
  return partsOf(message).flatMap((part) => {
    const link = partLink(part)
    return link === undefined ? [] : [`${message.role}\n${link}`]
  })
}

function partLink(part: Part): string | undefined {
  switch (part.type) {
    case 'text': {
      const text = part.text.trim()
      return text === '' || MOVING.some((pattern) => pattern.test(text)) ? undefined : `text\n${text}`
    }
    case 'tool-call':
      return `call\n${part.toolName}\n${jsonText(sorted(part.input))}`
    case 'tool-result':
      return `result\n${part.output.type === 'content' ? jsonText(part.output.value) : outputText(part.output).trim()}`
    case 'image':
    case 'file':
      return `${part.type}\n${jsonText(part)}`
    case 'custom':
      // A client sends a provider's own compaction back unchanged. It replaces all messages before it.
      return isNativeCompaction(part) ? `compaction\n${jsonText(part.providerOptions)}` : undefined
    default:
      return undefined
  }
}

/** Texts that a client writes again or leaves out when it resumes a session. */
const MOVING: readonly RegExp[] = [
  // Gemini CLI: the date and the files of the folder.
  /^<session_context>/,
  // qwen-code: the date, and the texts before the first message, with the files of the folder.
  /^<system-reminder>\s*(?:The current date is|This is the Qwen Code\.|The following (?:skills|tools) are )[\s\S]*<\/system-reminder>$/,
]

/** The value with the keys of its objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
