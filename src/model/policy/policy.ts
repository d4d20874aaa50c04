import { PithError } from '../problems/errors.ts'
import { noChoice, tooBig, tooSmall, unknownKey, wrongType } from '../problems/problem-text.ts'
import { isRecord, snakeCase } from '../values.ts'
import { type NumberField, POLICY_FIELDS, type PolicyField, type RUNG_NAMES } from './policy-fields.ts'
import type { PRESET_NAMES, STYLE_NAMES } from './preset-names.ts'

/** The systems whose wording is built in: their prompts, and the frame around a summary. `pith` is our own. */
export type Style = (typeof STYLE_NAMES)[number]

/** The names of the built-in policies: our own at three prices (`balanced` is `pith`), and four of other systems. */
export type Preset = (typeof PRESET_NAMES)[number]

/** One step of the ladder. */
export type Rung = (typeof RUNG_NAMES)[number]

type Fields = typeof POLICY_FIELDS
type OptionalName = { [K in keyof Fields]: Fields[K] extends { optional: true } ? K : never }[keyof Fields]

/** The values of one setting. */
export type PolicySetting<K extends keyof Fields> = Fields[K] extends { kind: 'number' }
  ? number
  : Fields[K] extends { kind: 'flag' }
    ? boolean
    : Fields[K] extends { kind: 'choice'; of: readonly (infer Name)[] }
      ? Name
      : Fields[K] extends { kind: 'list'; of: readonly (infer Name)[] }
        ? Name[]
        : string

/** The settings that decide when and how to compact. The preset is a label: nothing else depends on it. */
export type Policy = { [K in Exclude<keyof Fields, OptionalName>]: PolicySetting<K> } & {
  [K in OptionalName]?: PolicySetting<K> | undefined
}

/** Some settings of a policy; the rest comes from its preset. */
export type PolicyPatch = { [K in keyof Fields]?: PolicySetting<K> | undefined }

/** The names of all settings. */
export const POLICY_KEYS = Object.keys(POLICY_FIELDS) as readonly (keyof Fields)[]

/** Keys of the configuration file with a name of their own; the others are the policy's names in snake_case. */
export const CONFIG_NAMES: Readonly<Record<string, keyof PolicyPatch>> = {
  model_auto_compact_token_limit: 'tokenLimit',
  compact_prompt: 'prompt',
  preserve_count: 'keepMessages',
}

/** Every key that the configuration file and the HTTP API accept, with its setting. */
export const CONFIG_KEYS: ReadonlyMap<string, keyof PolicyPatch> = new Map([
  ...POLICY_KEYS.map((key) => [snakeCase(key), key] as const),
  ...Object.entries(CONFIG_NAMES),
])

/** Parses policy settings as TypeScript users write them. Unknown keys are refused, naming the nearest known one. */
export function parsePolicyPatch(value: unknown, what = 'policy'): PolicyPatch {
  const problem = patchProblem(value)
  if (problem !== undefined) throw new PithError('bad-policy', `${what}: ${problem}`)
  return { ...(value as PolicyPatch) }
}

/** Parses policy settings as the configuration file and the HTTP API write them, in snake_case. `table`: the key that has them. */
export function parsePolicyConfig(value: unknown, what = 'configuration', table?: string): PolicyPatch {
  if (!isRecord(value)) throw new PithError('bad-policy', `${what}: expected a table of settings`)
  const patch: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(value)) {
    const key = CONFIG_KEYS.get(name)
    if (key === undefined)
      throw new PithError(
        'bad-policy',
        `${what}: ${table === undefined ? '' : `${table}: `}${unknownKey(name, [...CONFIG_KEYS.keys()])}`,
      )
    const written = table === undefined ? name : `${table}.${name}`
    const problem = setting === undefined ? undefined : settingProblem(written, POLICY_FIELDS[key], setting)
    if (problem !== undefined) throw new PithError('bad-policy', `${what}: ${problem}`)
    patch[key] = setting
  }
  return parsePolicyPatch(patch, what)
}

function patchProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return wrongType('object', value)
  for (const key of POLICY_KEYS) {
    const setting = value[key]
    const problem = setting === undefined ? undefined : settingProblem(key, POLICY_FIELDS[key], setting)
    if (problem !== undefined) return problem
  }
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(POLICY_FIELDS, key))
  return unknown === undefined ? undefined : unknownKey(unknown, POLICY_KEYS)
}

/** The problem with the value of a setting, in the words of the schemas; undefined if there is none. It works without zod. */
function settingProblem(name: string, field: PolicyField, value: unknown): string | undefined {
  if (field.kind !== 'list' || !Array.isArray(value)) return problemAt(name, valueProblem(field, value))
  const i = value.findIndex((item) => !field.of.includes(item))
  if (i !== -1) return problemAt(`${name}.${i}`, noChoice(field.of, value[i]))
  return problemAt(name, value.length === 0 ? tooSmall('array', 1) : undefined)
}

function problemAt(place: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${place}: ${problem}`
}

function valueProblem(field: PolicyField, value: unknown): string | undefined {
  switch (field.kind) {
    case 'number':
      return numberProblem(field, value)
    case 'flag':
      return typeof value === 'boolean' ? undefined : wrongType('boolean', value)
    case 'text':
      if (typeof value !== 'string') return wrongType('string', value)
      return value === '' ? tooSmall('string', 1) : undefined
    case 'choice':
      return field.of.some((name) => name === value) ? undefined : noChoice(field.of, value)
    case 'list':
      return wrongType('array', value)
  }
}

function numberProblem({ whole, min, max, above }: NumberField, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType('number', value)
  if (whole && !Number.isInteger(value)) return wrongType('int', value)
  if (whole && value > Number.MAX_SAFE_INTEGER) return tooBig('int', Number.MAX_SAFE_INTEGER)
  if (whole && value < Number.MIN_SAFE_INTEGER) return tooSmall('int', Number.MIN_SAFE_INTEGER)
  if (min !== undefined && value < min) return tooSmall('number', min)
  if (max !== undefined && value > max) return tooBig('number', max)
  return above !== undefined && value <= above ? tooSmall('number', above, false) : undefined
}
