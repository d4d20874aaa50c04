import { CONFIG_NAMES, POLICY_KEYS } from '../../model/policy/policy.ts'
import { PithError } from '../../model/problems/errors.ts'
import { nearest } from '../../model/problems/problem-text.ts'
import { snakeCase } from '../../model/values.ts'
import type { EffectiveValue } from '../effective.ts'
import { FILE_KEYS } from '../tables/file-schema.ts'

/** The value of a key, or all values of a table; empty if it is not set. An unknown key is refused. */
export function findValues(values: readonly EffectiveValue[], key: string): readonly EffectiveValue[] {
  const name = canonicalKey(key)
  const found = values.filter((value) => value.key === name || value.key.startsWith(`${name}.`))
  if (found.length > 0 || KNOWN.includes(name)) return found
  if (name.includes('.') && TABLES.some((table) => name.startsWith(table))) return []
  const meant = nearest(key, [...new Set([...KNOWN, ...values.map((value) => value.key)])])
  throw new PithError(
    'bad-config',
    `unknown key \`${key}\`${meant === undefined ? '' : `, did you mean \`${meant}\`?`}`,
  )
}

const POLICY_PATHS = POLICY_KEYS.map((key) => `policy.${snakeCase(key)}`)
const KNOWN: readonly string[] = [...FILE_KEYS, ...POLICY_PATHS]

/** Tables whose keys the user chooses. */
const TABLES: readonly string[] = ['providers.', 'models.', 'mcp.', 'hooks.', 'server.', 'gateway.']

/** A setting of the policy with a second name is shown under its first. */
function canonicalKey(key: string): string {
  const setting = new Map(Object.entries(CONFIG_NAMES)).get(key.replace(/^policy\./, ''))
  return setting === undefined ? key : `policy.${snakeCase(setting)}`
}
