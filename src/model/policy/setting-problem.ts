import { noChoice, tooBig, tooSmall, wrongType } from '../problems/problem-text.ts'
import type { NumberField, PolicyField } from './policy-fields.ts'

/** What is wrong with the value of a setting, in the words of the schemas; undefined when nothing is. It needs no zod. */
export function settingProblem(name: string, field: PolicyField, value: unknown): string | undefined {
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
