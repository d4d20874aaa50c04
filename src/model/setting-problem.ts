import type { NumberField, PolicyField } from './policy-fields.ts'

/** What is wrong with the value of a setting, in the words of the schemas; undefined when nothing is. It needs no zod. */
export function settingProblem(name: string, field: PolicyField, value: unknown): string | undefined {
  if (field.kind !== 'list' || !Array.isArray(value)) return problemAt(name, valueProblem(field, value))
  const i = value.findIndex((item) => !field.of.includes(item))
  if (i !== -1) return problemAt(`${name}.${i}`, choices(field.of))
  return problemAt(name, value.length === 0 ? 'Too small: expected array to have >=1 items' : undefined)
}

/** What a schema says where it expected another type. */
export function wrongType(expected: string, value: unknown): string {
  return `Invalid input: expected ${expected}, received ${typeName(value)}`
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
      return value === '' ? 'Too small: expected string to have >=1 characters' : undefined
    case 'choice':
      return field.of.some((name) => name === value) ? undefined : choices(field.of)
    case 'list':
      return wrongType('array', value)
  }
}

function numberProblem({ whole, min, max, above }: NumberField, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType('number', value)
  if (whole && !Number.isInteger(value)) return 'Invalid input: expected int, received number'
  if (whole && value > Number.MAX_SAFE_INTEGER) return tooBig('int', Number.MAX_SAFE_INTEGER)
  if (whole && value < Number.MIN_SAFE_INTEGER) return `Too small: expected int to be >=${Number.MIN_SAFE_INTEGER}`
  if (min !== undefined && value < min) return `Too small: expected number to be >=${min}`
  if (max !== undefined && value > max) return tooBig('number', max)
  return above !== undefined && value <= above ? `Too small: expected number to be >${above}` : undefined
}

function tooBig(expected: string, most: number): string {
  return `Too big: expected ${expected} to be <=${most}`
}

function choices(names: readonly string[]): string {
  return `Invalid option: expected one of ${names.map((name) => `"${name}"`).join('|')}`
}

function typeName(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : String(value)
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'object') return typeof value
  const maker: unknown = value.constructor
  return typeof maker === 'function' && maker !== Object ? maker.name : 'object'
}
