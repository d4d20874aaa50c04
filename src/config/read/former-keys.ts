import { isTable } from '../value.ts'

/** Keys that configuration files had in earlier versions, such as `policy.keep_turns`. Add a key here when you take its setting out. */
export const FORMER_KEYS: readonly string[] = []

/** The table without the former keys, and those of them that it had. */
export function withoutFormerKeys(
  table: unknown,
  formerKeys: readonly string[],
): { readonly table: unknown; readonly found: readonly string[] } {
  const found = formerKeys.filter((key) => parentOf(table, key) !== undefined)
  const copy = found.length === 0 ? table : structuredClone(table)
  for (const key of found) delete parentOf(copy, key)?.[lastPart(key)]
  return { table: copy, found }
}

/** The table that has the last part of the key. */
function parentOf(table: unknown, key: string): Record<string, unknown> | undefined {
  let parent = table
  for (const part of key.split('.').slice(0, -1)) parent = isTable(parent) ? parent[part] : undefined
  return isTable(parent) && Object.hasOwn(parent, lastPart(key)) ? parent : undefined
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}
