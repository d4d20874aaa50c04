import { HttpError } from './http-error.ts'

/** Deeper than any message of a person or a tool; what recurses into a value does not run out of stack. */
const MOST_DEPTH = 500
/** Each unknown key of a table is looked at, which takes seconds for a body of nothing else. */
const MOST_KEYS = 10_000

/** Refuses JSON that is nested too deep, or has a table of too many keys, before anything is made of it. */
export function checkJson(text: string): void {
  const keys: number[] = []
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i + 1)
        break
      case OPEN_TABLE:
      case OPEN_LIST:
        keys.push(0)
        if (keys.length > MOST_DEPTH) throw refused(`is nested more than ${MOST_DEPTH} deep`)
        break
      case CLOSE_TABLE:
      case CLOSE_LIST:
        keys.pop()
        break
      case COLON: {
        const count = (keys.pop() ?? 0) + 1
        if (count > MOST_KEYS) throw refused(`has a table of more than ${MOST_KEYS} keys`)
        keys.push(count)
        break
      }
    }
  }
}

const [QUOTE, BACKSLASH, COLON, LINE_END] = [0x22, 0x5c, 0x3a, 0x0a]
const [OPEN_TABLE, CLOSE_TABLE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Where a string ends. No string of JSON goes on in the next line, so a broken line says nothing about those behind it. */
function endOfString(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === QUOTE || sign === LINE_END) return i
    if (sign === BACKSLASH) i++
  }
  return text.length
}

function refused(why: string): HttpError {
  return new HttpError(400, 'bad-request', `the body ${why}`)
}
