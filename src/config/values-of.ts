import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parsePolicyConfig } from '../model/policy/policy.ts'
import { PithError } from '../model/problems/errors.ts'
import { modelName } from '../model/types.ts'
import { snakeCase } from '../model/values.ts'
import { checkTable } from './read/check-table.ts'
import { type FileTable, fileSchema, POLICY_SHORTCUTS } from './tables/file-schema.ts'
import { isTable, type Value } from './value.ts'

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
  if (!isTable(value)) return [valueAt(path, value, place)]
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
  if (place === ':memory:' || /^postgres(?:ql)?:\/\//.test(place)) return place
  return place.startsWith('~/') ? join(homedir(), place.slice(2)) : resolve(folder, place)
}

function withoutNulls(value: unknown): unknown {
  if (!isTable(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  )
}
