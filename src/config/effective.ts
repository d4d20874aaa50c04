import { CONFIG_NAMES, POLICY_KEYS } from '../model/policy/policy.ts'
import { PRESETS } from '../model/policy/presets.ts'
import { PithError } from '../model/problems/errors.ts'
import { nearest } from '../model/problems/problem-text.ts'
import { snakeCase } from '../model/values.ts'
import { FILE_KEYS } from './tables/file-schema.ts'
import { presetIn } from './tables/settings.ts'
import { keyOf, type Value } from './values-of.ts'

/** One effective value and its source; a secret is `***`. */
export type EffectiveValue = { readonly key: string; readonly value: unknown; readonly source: string }

/** All effective values, including those of the policy's preset, in the order of the file's keys. */
export function effectiveValues(values: readonly Value[]): EffectiveValue[] {
  const given = values.map((value) => ({ key: keyOf(value), value: withoutSecrets(value), source: value.source }))
  const known = new Set(given.map(({ key }) => key))
  const all = [...given, ...presetValues(values).filter(({ key }) => !known.has(key))]
  return all.toSorted((a, b) => rank(a.key) - rank(b.key))
}

/** The value without secrets: keys, headers and secrets in addresses are `***`. Commands are shown in full, so that nothing can hide in them. */
function withoutSecrets({ path, value }: Value): unknown {
  const [top, second, third] = path
  if (top === 'providers' && (third === 'api_key' || third === 'headers')) return '***'
  if (top === 'mcp' && (third === 'env' || third === 'headers')) return '***'
  if (top === 'server' && SECRET.test(path.at(-1) ?? '')) return '***'
  if (typeof value !== 'string') return value
  if (top === 'store') return withoutQuerySecrets(value.replace(/(\/\/[^/@:]*):.*@/, '$1:***@'))
  const isUpstream = top === 'gateway' && second === 'upstreams'
  const isAddress = third === 'base_url' || (top === 'mcp' && third === 'url') || isUpstream
  // Only what is before the host: an `@` in the path must not hide the host that is called.
  return isAddress ? withoutQuerySecrets(value.replace(/\/\/[^/\\?#]*@/, '//***@')) : value
}

const SECRET = /token|secret|password|key/i

function withoutQuerySecrets(address: string): string {
  return address.replace(/([?&]\w*(?:token|secret|password|key)\w*=)[^&]*/gi, '$1***')
}

function presetValues(values: readonly Value[]): EffectiveValue[] {
  const preset = presetIn(values)
  const source = preset === 'pith' ? 'default' : `preset ${preset}`
  return Object.entries(PRESETS[preset]).map(([key, value]) => ({ key: `policy.${snakeCase(key)}`, value, source }))
}

function rank(key: string): number {
  return FILE_KEYS.indexOf(key.split('.')[0] ?? '')
}

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
