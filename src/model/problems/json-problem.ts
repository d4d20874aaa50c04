import { messageOf } from './errors.ts'

/** The place at which a text stops being JSON, and why; undefined for JSON. Line and column count from 1. */
export function jsonProblem(
  text: string,
): { readonly line: number; readonly column: number; readonly text: string } | undefined {
  const message = parseError(text)
  if (message === undefined) return undefined
  const [, at] = / (?:in|after) JSON at position (\d+)/.exec(message) ?? []
  const offset = at === undefined ? offsetOf(text, message) : Number(at)
  const before = text.slice(0, offset).split('\n')
  const why = message
    .replace(/ (?:in|after) JSON at position .*$/s, '')
    .replace(/^(Unexpected token '.*?'), .*$/s, '$1')
    .replace('Unexpected end of JSON input', 'it ends too early')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, text: why }
}

/**
 * The engine gives no position for an unexpected token or the end of the text. A prefix without the token is
 * only too short; each longer prefix contains the token. So the shortest prefix with the token ends at it.
 */
function offsetOf(text: string, message: string): number {
  if (!message.startsWith(UNEXPECTED)) return text.length
  let without = 0
  let having = text.length
  while (having - without > 1) {
    const middle = Math.floor((without + having) / 2)
    if (parseError(text.slice(0, middle))?.startsWith(UNEXPECTED) === true) having = middle
    else without = middle
  }
  return without
}

const UNEXPECTED = 'Unexpected token'

function parseError(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}
