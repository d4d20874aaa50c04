import { isDeepStrictEqual } from 'node:util'
import type { AnyNode, ArrayNode, ObjectNode } from '@humanwhocodes/momoa'
import type { JsonValue } from '../../../../model/message.ts'
import { jsonParts, jsonRange, jsonValueOf, memberNamed, rootOf, withoutPart } from './json-text.ts'
import { ConfigProblem, type Insertion, type SettingForm } from './setting-form.ts'

/** A value at a path that has a name of ours, such as `mcpServers.pith`. */
export function jsonValue(path: readonly string[], value: JsonValue): SettingForm {
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
      return isDeepStrictEqual(jsonValueOf(member.value), value) ? 'on' : 'outdated'
    },
    insertion: (text) => insertionAt(text, path, value),
    without: (text, containers) => {
      const at = found(text)
      if (at === undefined) return text
      return withoutEmpty(withoutPart(text, at.parent, at.parent.members.indexOf(at.member)), parents, containers)
    },
  }
}

/** An item of a list. `isOurs` tells it among those of others. */
export function jsonItem(path: readonly string[], value: JsonValue, isOurs: (item: JsonValue) => boolean): SettingForm {
  const found = (text: string) => {
    const list = containerAt(text, path, 'Array')
    const items = list?.elements.map((element) => jsonValueOf(element.value)) ?? []
    return { list, items, index: items.findIndex(isOurs) }
  }
  return {
    standing: (text) => {
      const { items, index } = found(text)
      return index === -1 ? 'off' : isDeepStrictEqual(items[index], value) ? 'on' : 'outdated'
    },
    insertion: (text) => {
      const { list } = found(text)
      if (list !== undefined) return inserted(text, list, path.length, { value })
      const made = insertionAt(text, path, [value])
      return { ...made, containers: made.containers + 1 }
    },
    without: (text, containers) => {
      const { list, index } = found(text)
      return list === undefined ? text : withoutEmpty(withoutPart(text, list, index), path, containers)
    },
  }
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

/** Puts a part behind the others of its container, in the layout that those have. */
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
  const told = JSON.stringify(value, undefined, isOneLine ? undefined : unit)
  const part = `${key}${told.replaceAll('\n', `${line}${indent}`)}`
  if (isOneLine) return { at: last.end, text: `, ${part}`, containers: 0 }
  if (last !== undefined) return { at: last.end, text: `,${line}${indent}${part}`, containers: 0 }
  const hasLine = text.slice(start, end).includes('\n')
  const closing = hasLine ? '' : `${line}${unit.repeat(depth)}`
  return { at: start + 1, text: `${line}${indent}${part}${closing}`, containers: 0 }
}

/** What one step of indentation is in this file. */
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
