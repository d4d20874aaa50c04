import { parseDocument } from 'yaml'
import { z } from 'zod'
import { PithError } from '../../model/problems/errors.ts'
import { issueText } from '../../model/problems/parse.ts'
import { gatewaySettingsSchema } from '../tables/gateway-settings.ts'
import { serverSettingsSchema } from '../tables/server-settings.ts'
import { isTable, tableOf, type Value } from '../value.ts'
import { type ValueSource, valuesOf } from '../values-of.ts'
import { type PlaceOf, tableError } from './check-table.ts'

/** The values of a key and its text, as a variable, a flag or `pith config set` gives them. */
export function valuesFromText(key: string, text: string, place: ValueSource): Value[] {
  return valuesOf(tableAt(key, valueFromText(key, text)), place)
}

/** The value of a text for a key: the text itself where the key takes one, otherwise its YAML value (`50`, `false`, `[a, b]`). */
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
 * Checks a key of the table `server` or `gateway`. A file that is only loaded leaves that to the program itself. Other keys
 * of the table may be wrong or missing: their mistakes would look like mistakes of this one.
 */
export function checkProgramTable(key: string, values: readonly Value[], placeOf: PlaceOf): void {
  const [name = '', ...inside] = key.split('.')
  const schema = PROGRAM_TABLES.get(name)
  if (schema === undefined) return
  const found = tableOf(values.filter(({ path }) => isOnOneWay(path, [name, ...inside])))[name]
  const { error } = schema.safeParse(isTable(found) ? found : {}, { error: issueText })
  const issues = error?.issues.filter(({ path }) => isOnOneWay(path, inside)) ?? []
  if (issues.length > 0) throw tableError(schema, new z.ZodError(issues), [name], placeOf)
}

const PROGRAM_TABLES: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['server', serverSettingsSchema],
  ['gateway', gatewaySettingsSchema],
])

/** True when one of the paths leads to the other or on from it. */
function isOnOneWay(one: readonly PropertyKey[], other: readonly string[]): boolean {
  return one.slice(0, other.length).every((part, index) => String(part) === other[index])
}
