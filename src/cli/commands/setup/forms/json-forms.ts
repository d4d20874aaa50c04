import { isDeepStrictEqual } from 'node:util'
import {
  type AnyNode,
  type ArrayNode,
  evaluate,
  type MemberNode,
  type ObjectNode,
  parse,
  tokenize,
} from '@humanwhocodes/momoa'
import type { JsonValue } from '../../../../model/types.ts'
import { ConfigProblem, type Insertion, type SettingForm } from '../setup-agent.ts'

/** A value at a path that has a name of ours, such as `mcpServers.pith`. `isOurs` recognises one that another installation added. */
export function jsonValue(
  path: readonly string[],
  value: JsonValue,
  isOurs: (value: JsonValue) => boolean,
): SettingForm {
  const [name = '', ...outer] = path.toReversed()
  const parents = outer.toReversed()
  const found = (text: string) => {
    const parent = containerAt(text, parents, 'Object')
    const member = parent && memberNamed(parent, name)
    return parent === undefined || member === undefined ? undefined : { parent, member }
  }
  return {
    standing: (text) => {
      const member = found(text)?.member
      if (member === undefined) return 'off'
      const now = jsonValueOf(member.value)
      return hasAll(now, value) ? 'on' : isOurs(now) ? 'outdated' : 'other'
    },
    name,
    insertion: (text) => insertionAt(text, path, value),
    renewed: (text) => {
      const now = found(text)?.member.value
      if (now?.type !== 'Object' || !isTable(value) || !hasMore(jsonValueOf(now), value)) return undefined
      return Object.entries(value).reduce((rest, [key, part]) => withPart(rest, [...path, key], part), text)
    },
    value: documentValue,
    without: (text, containers) => {
      const at = found(text)
      if (at === undefined) return text
      return withoutEmpty(withoutPart(text, at.parent, at.parent.members.indexOf(at.member)), parents, containers)
    },
  }
}

/**
 * An item of a list. `isOurs` recognises it among those of others. If an item has a list `within` it, the user may have put
 * things of their own beside ours there: these stay.
 */
export function jsonItem(
  path: readonly string[],
  value: JsonValue,
  isOurs: (item: JsonValue) => boolean,
  within?: string,
): SettingForm {
  const found = (text: string) => {
    const list = containerAt(text, path, 'Array')
    const index = indexIn(list, isOurs)
    const item = list?.elements[index]?.value
    const inner = within !== undefined && item?.type === 'Object' ? memberNamed(item, within)?.value : undefined
    const isShared = inner?.type === 'Array' && inner.elements.some((element) => !isOurs(jsonValueOf(element.value)))
    return isShared ? { list, holder: inner, index: indexIn(inner, isOurs) } : { list, holder: list, index }
  }
  return {
    standing: (text) => {
      const { list, holder, index } = found(text)
      const now = holder?.elements[index]?.value
      if (now === undefined) return 'off'
      const wanted = holder === list ? [value] : partsWithin(value, within)
      return wanted.some((part) => isDeepStrictEqual(jsonValueOf(now), part)) ? 'on' : 'outdated'
    },
    insertion: (text) => {
      const { list } = found(text)
      if (list !== undefined) return inserted(text, list, path.length, { value })
      const made = insertionAt(text, path, [value])
      return { ...made, containers: made.containers + 1 }
    },
    without: (text, containers) => {
      const { holder, index } = found(text)
      return holder === undefined ? text : withoutEmpty(withoutPart(text, holder, index), path, containers)
    },
    value: documentValue,
  }
}

function indexIn(list: ArrayNode | undefined, isOurs: (item: JsonValue) => boolean): number {
  return list?.elements.findIndex((element) => isOurs(jsonValueOf(element.value))) ?? -1
}

function partsWithin(value: JsonValue, within: string | undefined): readonly JsonValue[] {
  const parts = isTable(value) && within !== undefined ? value[within] : undefined
  return Array.isArray(parts) ? parts : []
}

function documentValue(text: string): JsonValue {
  const root = rootOf(text)
  return root === undefined ? {} : jsonValueOf(root)
}

type JsonTable = { readonly [name: string]: JsonValue }

function isTable(value: JsonValue | undefined): value is JsonTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True when a value has all that is wanted: what the user has added to a table is theirs. */
function hasAll(now: JsonValue | undefined, wanted: JsonValue): boolean {
  if (!isTable(wanted) || !isTable(now)) return isDeepStrictEqual(now, wanted)
  return Object.entries(wanted).every(([name, part]) => hasAll(now[name], part))
}

/** True when a value has something that is not wanted, and not in its place either. */
function hasMore(now: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  if (!isTable(now)) return false
  return Object.entries(now).some(([name, part]) => {
    const own = isTable(wanted) ? wanted[name] : undefined
    return own === undefined || hasMore(part, own)
  })
}

/** The text with a value at a path, unless the value there has all of it. */
function withPart(text: string, path: readonly string[], value: JsonValue): string {
  const parent = containerAt(text, path.slice(0, -1), 'Object')
  const now = parent && memberNamed(parent, path.at(-1) ?? '')?.value
  if (now !== undefined && hasAll(jsonValueOf(now), value)) return text
  if (now !== undefined) {
    const { start, end } = jsonRange(now)
    return text.slice(0, start) + JSON.stringify(value) + text.slice(end)
  }
  const { at, text: added } = insertionAt(text, path, value)
  return text.slice(0, at) + added + text.slice(at)
}

type Kinds = { readonly Object: ObjectNode; readonly Array: ArrayNode }

/** The container at a path; undefined where it is missing. Anything else in its place is not ours to replace. */
function containerAt<Kind extends keyof Kinds>(
  text: string,
  path: readonly string[],
  kind: Kind,
): Kinds[Kind] | undefined {
  let node: AnyNode | undefined = rootOf(text)
  for (const name of path) {
    if (node === undefined) return undefined
    if (node.type !== 'Object') throw new ConfigProblem(`has something else than a table above \`${name}\``)
    node = memberNamed(node, name)?.value
  }
  if (node === undefined || node.type === kind) return node as Kinds[Kind] | undefined
  throw new ConfigProblem(`has something else than ${kind === 'Array' ? 'a list' : 'a table'} at \`${path.join('.')}\``)
}

/** Puts a value at a path. Tables that are missing are made. */
function insertionAt(text: string, path: readonly string[], value: JsonValue): Insertion {
  const wrapped = (names: readonly string[]): JsonValue =>
    names.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value)
  if (rootOf(text) === undefined)
    return { at: text.length, text: `${JSON.stringify(wrapped(path), undefined, 2)}\n`, containers: path.length - 1 }
  let depth = 0
  for (let i = 1; i < path.length; i++) if (containerAt(text, path.slice(0, i), 'Object') !== undefined) depth = i
  const container = containerAt(text, path.slice(0, depth), 'Object')
  if (container === undefined) throw new Error('unreachable: the root is there')
  const [name = '', ...rest] = path.slice(depth)
  return { ...inserted(text, container, depth, { name, value: wrapped(rest) }), containers: rest.length }
}

/** Adds a part after the others of its container, in their layout. */
function inserted(
  text: string,
  container: ObjectNode | ArrayNode,
  depth: number,
  { name, value }: { readonly name?: string; readonly value: JsonValue },
): Insertion {
  const unit = unitOf(text)
  const line = text.includes('\r\n') ? '\r\n' : '\n'
  const last = jsonParts(container).at(-1)
  const { start, end } = jsonRange(container)
  const isOneLine = last !== undefined && !text.slice(start, last.end).includes('\n')
  const indent = last === undefined ? unit.repeat(depth + 1) : (/^[ \t]*/.exec(lineAt(text, last.start))?.[0] ?? '')
  const key = name === undefined ? '' : `${JSON.stringify(name)}: `
  const json = JSON.stringify(value, undefined, isOneLine ? undefined : unit)
  const part = `${key}${json.replaceAll('\n', `${line}${indent}`)}`
  if (isOneLine) return { at: last.end, text: `, ${part}`, containers: 0 }
  if (last !== undefined) return { at: last.end, text: `,${line}${indent}${part}`, containers: 0 }
  const hasLine = text.slice(start, end).includes('\n')
  const closing = hasLine ? '' : `${line}${unit.repeat(depth)}`
  return { at: start + 1, text: `${line}${indent}${part}${closing}`, containers: 0 }
}

/** One step of indentation in this file. */
function unitOf(text: string): string {
  return /^\s*\{\s*\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
}

function lineAt(text: string, place: number): string {
  return text.slice(text.lastIndexOf('\n', place - 1) + 1)
}

/** Takes out as many empty containers as were made, from the inside. */
function withoutEmpty(text: string, path: readonly string[], containers: number): string {
  if (containers === 0 || path.length === 0) return text
  const parents = path.slice(0, -1)
  const parent = containerAt(text, parents, 'Object')
  const member = parent && memberNamed(parent, path.at(-1) ?? '')
  const inner = member?.value
  const isEmpty = (inner?.type === 'Object' || inner?.type === 'Array') && jsonParts(inner).length === 0
  if (parent === undefined || member === undefined || !isEmpty) return text
  return withoutEmpty(withoutPart(text, parent, parent.members.indexOf(member)), parents, containers - 1)
}

/** The part of a text from `start` to `end`. */
type JsonRange = { readonly start: number; readonly end: number }

/** The object that a configuration file holds: comments and commas at the end are taken, as most agents take them. Undefined for an empty text. */
export function rootOf(text: string): ObjectNode | undefined {
  if (text.trim() === '') return undefined
  const root = parsed(text)
  if (root.type !== 'Object') throw new ConfigProblem('is no JSON object')
  return root
}

function parsed(text: string): AnyNode {
  try {
    // A byte order mark is not JSON; a space instead of it keeps every position as it is.
    return parse(text.replace(/^\uFEFF/, ' '), MODE).body
  } catch (error) {
    const place = /\((\d+):(\d+)\)/.exec(String(error))
    throw new ConfigProblem(`is no JSON${place === null ? '' : `: see line ${place[1]}, column ${place[2]}`}`)
  }
}

const MODE = { mode: 'jsonc', ranges: true, allowTrailingCommas: true } as const

/** The member of an object by its name; the last one counts, as for a parser. */
function memberNamed({ members }: ObjectNode, name: string): MemberNode | undefined {
  return members.findLast((member) => (member.name.type === 'String' ? member.name.value : member.name.name) === name)
}

export function jsonValueOf(node: AnyNode): JsonValue {
  // Every part of a JSON text is a JSON value.
  return evaluate(node) as JsonValue
}

function jsonRange(node: AnyNode): JsonRange {
  const [start, end] = node.range ?? [0, 0]
  return { start, end }
}

/** The members or elements of a container. */
function jsonParts(node: ObjectNode | ArrayNode): JsonRange[] {
  return node.type === 'Object' ? node.members.map(jsonRange) : node.elements.map(({ value }) => jsonRange(value))
}

/** The text without one of the parts of a container, and without the comma that went with it. Comments stay. */
function withoutPart(text: string, container: ObjectNode | ArrayNode, index: number): string {
  const parts = jsonParts(container)
  const part = parts[index]
  if (part === undefined) return text
  const next = parts[index + 1]?.start ?? jsonRange(container).end
  const after = commaIn(text, { start: part.end, end: next })
  const before = parts[index - 1]
  const comma = after ?? (before === undefined ? undefined : commaIn(text, { start: before.end, end: part.start }))
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
