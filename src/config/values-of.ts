import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parsePolicyConfig } from '../model/policy/policy.ts'
import { PithError } from '../model/problems/errors.ts'
import { modelName } from '../model/types.ts'
import { isPostgresUrl, isRecord, snakeCase } from '../model/values.ts'
import { checkTable } from './read/check-table.ts'
import { type FileTable, fileSchema, POLICY_SHORTCUTS } from './tables/file-schema.ts'

/** The source of a table of settings. */
export type ValueSource = {
  readonly source: string
  /** The folder that relative paths start from. */
  readonly folder: string
  /** The place of a key in that source, for errors: `config.yaml:3`. */
  readonly where: (path: readonly PropertyKey[]) => string
}

/** The checked values of one source. An error is one line that names the place and the key. `null` counts as not set. */
export function valuesOf(table: unknown, place: ValueSource): Value[] {
  const data = checkTable(fileSchema, withoutNulls(table) ?? {}, [], place.where)
  const values = Object.entries(data).flatMap(([key, value]) => valuesOfKey(key, value, data, place))
  refuseTwice(values)
  return values
}

function valuesOfKey(key: string, value: unknown, table: FileTable, place: ValueSource): Value[] {
  if (value === undefined) return []
  if (POLICY_SHORTCUTS.includes(key)) return [policyValue([key], value, place)]
  if (key === 'policy')
    return Object.entries(table.policy ?? {}).map(([name, setting]) => policyValue(['policy', name], setting, place))
  if (key === 'models')
    return (table.models ?? []).map((entry, index) => ({
      ...valueAt(['models', String(index)], entry, place),
      path: ['models', modelName(entry)],
    }))
  if (key === 'store') return [valueAt([key], storePlace(String(value), place.folder), place)]
  return flattened([key], value, place)
}

/** Parses one setting of the policy at a time, so that an error has a line. The second name of a key becomes the first. */
function policyValue(path: readonly string[], value: unknown, place: ValueSource): Value {
  const name = path.at(-1) ?? ''
  const [table] = path.slice(0, -1)
  const patch = parsePolicyConfig({ [name]: value }, place.where(path), table)
  const [key = name] = Object.keys(patch)
  return { ...valueAt(path, value, place), path: ['policy', snakeCase(key)] }
}

function flattened(path: readonly string[], value: unknown, place: ValueSource): Value[] {
  if (!isRecord(value)) return [valueAt(path, value, place)]
  return Object.entries(value).flatMap(([key, inner]) => flattened([...path, key], inner, place))
}

function valueAt(path: readonly string[], value: unknown, place: ValueSource): Value {
  return { path, value, source: place.source, written: path.join('.'), where: place.where(path) }
}

function refuseTwice(values: readonly Value[]): void {
  const seen = new Map<string, Value>()
  for (const value of values) {
    const key = JSON.stringify(value.path)
    const first = seen.get(key)
    if (first !== undefined)
      throw new PithError(
        'bad-config',
        `${value.where}: ${value.path.join('.')} is set twice (${first.where}): keep one`,
      )
    seen.set(key, value)
  }
}

function storePlace(place: string, folder: string): string {
  if (place === ':memory:' || isPostgresUrl(place)) return place
  return place.startsWith('~/') ? join(homedir(), place.slice(2)) : resolve(folder, place)
}

function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  )
}

/** One value of the configuration and its source. */
export type Value = {
  /** The key in parts: `policy`, `keep_messages`. Tables are split, so that sources are merged value by value. */
  readonly path: readonly string[]
  readonly value: unknown
  /** For people: `user file /home/me/.config/pith/config.yaml`, `environment PITH_MODEL`. */
  readonly source: string
  /** The key as it is written in the source; some keys have two names. */
  readonly written: string
  /** The place of the value, for errors: a file and its line, a variable, a flag. */
  readonly where: string
}

/** The key as users write it. */
export function keyOf({ path }: Pick<Value, 'path'>): string {
  return path.join('.')
}

/** The effective values. If a key occurs twice, the later value is kept, at the position of the first. */
export function laterWins(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value.path), value])).values()]
}

/** The place where the value at a path was set. If there is no such value, the place of the first value in the nearest table around it. */
export function placeIn(values: readonly Value[], path: readonly PropertyKey[]): string | undefined {
  const found = values.find((value) => path.every((key, index) => value.path[index] === String(key)))
  return found === undefined && path.length > 1 ? placeIn(values, path.slice(0, -1)) : found?.where
}

/** The values as a nested table. */
export function tableOf(values: readonly Pick<Value, 'path' | 'value'>[]): Record<string, unknown> {
  const groups = Map.groupBy(values, ({ path }) => path[0] ?? '')
  return Object.fromEntries([...groups].map(([key, group]) => [key, joined(group)]))
}

function joined(group: readonly Pick<Value, 'path' | 'value'>[]): unknown {
  const whole = group.find(({ path }) => path.length === 1)
  return whole === undefined ? tableOf(group.map(({ path, value }) => ({ path: path.slice(1), value }))) : whole.value
}
