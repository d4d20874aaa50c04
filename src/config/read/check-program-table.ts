import { z } from 'zod'
import { issueText } from '../../model/problems/issue-text.ts'
import { gatewaySettingsSchema } from '../tables/gateway-settings.ts'
import { serverSettingsSchema } from '../tables/server-settings.ts'
import { isTable, tableOf, type Value } from '../value.ts'
import { type PlaceOf, tableError } from './check-table.ts'

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
