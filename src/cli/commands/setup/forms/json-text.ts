import {
  type AnyNode,
  type ArrayNode,
  evaluate,
  type MemberNode,
  type ObjectNode,
  parse,
  tokenize,
} from '@humanwhocodes/momoa'
import type { JsonValue } from '../../../../model/message/message.ts'
import { ConfigProblem } from './setting-form.ts'

/** The part of a text from `start` to `end`. */
export type JsonRange = { readonly start: number; readonly end: number }

/** The object that a configuration file holds: comments and commas at the end are taken, as most agents take them. Undefined for an empty text. */
export function rootOf(text: string): ObjectNode | undefined {
  if (text.trim() === '') return undefined
  const root = parsed(text)
  if (root.type !== 'Object') throw new ConfigProblem('is no JSON object')
  return root
}

function parsed(text: string): AnyNode {
  try {
    // A byte order mark is no JSON; a space in its place leaves every position as it is.
    return parse(text.replace(/^\uFEFF/, ' '), MODE).body
  } catch (error) {
    const place = /\((\d+):(\d+)\)/.exec(String(error))
    throw new ConfigProblem(`is no JSON${place === null ? '' : `: see line ${place[1]}, column ${place[2]}`}`)
  }
}

const MODE = { mode: 'jsonc', ranges: true, allowTrailingCommas: true } as const

/** The member of an object by its name; the last one counts, as for a parser. */
export function memberNamed({ members }: ObjectNode, name: string): MemberNode | undefined {
  return members.findLast((member) => (member.name.type === 'String' ? member.name.value : member.name.name) === name)
}

export function jsonValueOf(node: AnyNode): JsonValue {
  // What stands in JSON is a JSON value.
  return evaluate(node) as JsonValue
}

export function jsonRange(node: AnyNode): JsonRange {
  const [start, end] = node.range ?? [0, 0]
  return { start, end }
}

/** The members or elements of a container. */
export function jsonParts(node: ObjectNode | ArrayNode): JsonRange[] {
  return node.type === 'Object' ? node.members.map(jsonRange) : node.elements.map(({ value }) => jsonRange(value))
}

/** The text without one of the parts of a container, and without the comma that went with it. Comments stay. */
export function withoutPart(text: string, container: ObjectNode | ArrayNode, index: number): string {
  const parts = jsonParts(container)
  const part = parts[index]
  if (part === undefined) return text
  const next = parts[index + 1]?.start ?? jsonRange(container).end
  const behind = commaIn(text, { start: part.end, end: next })
  const before = parts[index - 1]
  const comma = behind ?? (before === undefined ? undefined : commaIn(text, { start: before.end, end: part.start }))
  const own = { start: lineStart(text, part.start), end: part.end }
  return cut(text, comma === undefined ? [own] : [own, { start: comma, end: comma + 1 }])
}

function commaIn(text: string, { start, end }: JsonRange): number | undefined {
  const comma = tokenize(text.replace(/^\uFEFF/, ' '), MODE).find(
    ({ type, range }) => type === 'Comma' && (range?.[0] ?? 0) >= start && (range?.[0] ?? 0) < end,
  )
  return comma?.range?.[0]
}

/** Where the white space before a part begins, its line break included. */
function lineStart(text: string, start: number): number {
  return start - (/\r?\n?[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0)
}

function cut(text: string, ranges: readonly JsonRange[]): string {
  return ranges
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
}
