import { FORMATS_TO_READ, type FormatName, type ReadableFormat } from './formats.ts'
import { type Fields, fields, objects, parsed, withoutByteOrderMark } from './shared/json.ts'

/** Characters from the start of a file that are enough to tell its format. */
export const HEAD_CHARACTERS = 64 * 1024

/** Tells the format of a file from the beginning of its content. */
export function detect(head: string): FormatName | undefined {
  return formatOfHead(withoutByteOrderMark(head))?.name
}

/** The format of a file that begins with this text. */
export function formatOfHead(head: string): ReadableFormat | undefined {
  const whole = parsed(head)
  if (whole !== undefined) return formatOfLine(fields(whole) ?? {}) ?? formatOfDocument(whole)
  const lines = head
    .split('\n', 50)
    .map((line) => (line.trimStart().startsWith('{') ? fields(parsed(line)) : undefined))
    .filter((line) => line !== undefined)
  return (
    firstDefined(lines, formatOfLine) ??
    FORMATS_TO_READ.find(({ detect }) => detect.head?.test(head)) ??
    formatOfDocument(lines)
  )
}

/** The format of a whole JSON document. */
export function formatOfDocument(document: unknown): ReadableFormat | undefined {
  if (Array.isArray(document)) return formatOfList(objects(document))
  const whole = fields(document)
  if (whole === undefined) return undefined
  const format = FORMATS_TO_READ.find(({ detect }) => detect.document?.(whole))
  if (format !== undefined) return format
  const messages = Array.isArray(whole.history) ? whole.history : whole.messages
  return Array.isArray(messages) ? formatOfList(objects(messages)) : undefined
}

function formatOfLine(line: Fields): ReadableFormat | undefined {
  return FORMATS_TO_READ.find(({ detect }) => detect.line?.(line))
}

/** Of message lists the first item that only one format has decides. */
function formatOfList(items: readonly Fields[]): ReadableFormat | undefined {
  return firstDefined(items, formatOfItem) ?? FORMATS_TO_READ.find(({ detect }) => detect.list?.(items))
}

function formatOfItem(item: Fields): ReadableFormat | undefined {
  return (
    FORMATS_TO_READ.find(({ detect }) => detect.item?.(item)) ??
    firstDefined(objects(item.content), ({ type }) =>
      FORMATS_TO_READ.find(({ detect }) => detect.parts?.includes(String(type))),
    )
  )
}

function firstDefined<T, Result>(items: readonly T[], look: (item: T) => Result | undefined): Result | undefined {
  for (const item of items) {
    const result = look(item)
    if (result !== undefined) return result
  }
  return undefined
}
