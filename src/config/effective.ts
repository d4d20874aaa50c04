import { PRESETS } from '../model/policy/presets.ts'
import { snakeCase } from '../model/values.ts'
import { FILE_KEYS } from './tables/file-schema.ts'
import { presetIn } from './tables/settings.ts'
import { keyOf, type Value } from './value.ts'

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
  const [top, , third] = path
  if (top === 'providers' && (third === 'api_key' || third === 'headers')) return '***'
  if (top === 'mcp' && (third === 'env' || third === 'headers')) return '***'
  if (top === 'server' && SECRET.test(path.at(-1) ?? '')) return '***'
  if (typeof value !== 'string') return value
  if (top === 'store') return withoutQuerySecrets(value.replace(/(\/\/[^/@:]*):.*@/, '$1:***@'))
  return third === 'base_url' ? withoutQuerySecrets(value.replace(/\/\/.*@/, '//***@')) : value
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
