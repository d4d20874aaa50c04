import { parseDocument } from 'yaml'
import { z } from 'zod'
import { PithError } from '../../model/problems/errors.ts'
import { issueText } from '../../model/problems/parse.ts'
import { isRecord } from '../../model/values.ts'
import { gatewaySettingsSchema, serverSettingsSchema } from '../tables/program-settings.ts'
import { tableOf, type Value, type ValueSource, valuesOf } from '../values-of.ts'
import { type PlaceOf, tableError } from './check-table.ts'

/** The values of a key whose text comes from a variable, a flag or `pith config set`. */
export function valuesFromText(key: string, text: string, place: ValueSource): Value[] {
  return valuesOf(tableAt(key, valueFromText(key, text)), place)
}

/** The value of a text for a key: the text itself if the key accepts a text, or else its YAML value (`50`, `false`, `[a, b]`). */
export function valueFromText(key: string, text: string): unknown {
  return accepts(key, text) ? text : yamlValue(text)
}

function accepts(key: string, value: unknown): boolean {
  try {
    const where = () => ''
    checkProgramTable(key, valuesOf(tableAt(key, value), { source: '', folder: '', where }), where)
    return true
  } catch (error) {
    if (error instanceof PithError) return false
    throw error
  }
}

function tableAt(key: string, value: unknown): Record<string, unknown> {
  return tableOf([{ path: key.split('.'), value }])
}

function yamlValue(text: string): unknown {
  const document = parseDocument(text)
  return document.errors.length === 0 ? document.toJS() : text
}

/**
 * Checks a key of the table `server` or `gateway`. Loading a file does not check these tables: the program that uses them does.
 * Errors of other keys in the table are ignored, because they would look like errors of this key.
 */
export function checkProgramTable(key: string, values: readonly Value[], placeOf: PlaceOf): void {
  const [name = '', ...inside] = key.split('.')
  const schema = PROGRAM_TABLES.get(name)
  if (schema === undefined) return
  const found = tableOf(values.filter(({ path }) => isSameBranch(path, [name, ...inside])))[name]
  const { error } = schema.safeParse(isRecord(found) ? found : {}, { error: issueText })
  const issues = error?.issues.filter(({ path }) => isSameBranch(path, inside)) ?? []
  if (issues.length > 0) throw tableError(schema, new z.ZodError(issues), [name], placeOf)
}

const PROGRAM_TABLES: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['server', serverSettingsSchema],
  ['gateway', gatewaySettingsSchema],
])

/** True when one of the paths begins with the other. */
function isSameBranch(one: readonly PropertyKey[], other: readonly string[]): boolean {
  return one.slice(0, other.length).every((part, index) => String(part) === other[index])
}
