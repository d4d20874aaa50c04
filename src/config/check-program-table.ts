import type { PlaceOf } from './check-table.ts'
import { parseGatewaySettings } from './gateway-settings.ts'
import { parseServerSettings } from './server-settings.ts'
import { isTable, tableOf, type Value } from './value.ts'

/** Checks the table `server` or `gateway` if the key is in it. A file that is only loaded leaves that to the program itself. */
export function checkProgramTable(key: string, values: readonly Value[], placeOf: PlaceOf): void {
  const [name = ''] = key.split('.')
  const found = tableOf(values)[name]
  const table = isTable(found) ? found : {}
  if (name === 'server') parseServerSettings(table, placeOf)
  if (name === 'gateway') parseGatewaySettings(table, placeOf)
}
