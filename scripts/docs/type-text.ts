import type { z } from 'zod'
import { code } from './markdown.ts'

/** A shape as JSON Schema says it. */
export type Shape = z.core.JSONSchema.JSONSchema

/** The possible values of a shape, in words. `nameOf` says how a reference is written. */
export function typeText(shape: Shape, nameOf: (ref: string) => string = (ref) => ref): string {
  const inner = (each: Shape | boolean | undefined) => (typeof each === 'object' ? typeText(each, nameOf) : 'anything')
  if (shape.$ref !== undefined) return nameOf(shape.$ref)
  if (shape.const !== undefined) return code(JSON.stringify(shape.const))
  if (shape.enum !== undefined) return shape.enum.map((value) => code(String(value))).join(', ')
  const choices = shape.anyOf ?? shape.oneOf
  if (choices !== undefined) return choices.map((each) => inner(each)).join(' or ')
  if (shape.allOf !== undefined) return shape.allOf.map((each) => inner(each)).join(' with ')
  if (Array.isArray(shape.type)) return typeText({ ...shape, type: shape.type.find((type) => type !== 'null') }, nameOf)
  switch (shape.type) {
    case 'array':
      return `list of ${Array.isArray(shape.items) ? 'anything' : inner(shape.items)}`
    case 'integer':
    case 'number':
      return numberText(shape)
    case 'string':
      return shape.format === 'uri' ? 'URL' : 'text'
    case 'boolean':
      return `${code('true')}, ${code('false')}`
    case 'object':
      return tableText(shape, inner)
    default:
      return 'anything'
  }
}

function tableText({ properties = {}, required = [], additionalProperties }: Shape, inner: (each: Shape) => string) {
  const names = Object.keys(properties).map((name) => code(required.includes(name) ? name : `${name}?`))
  if (names.length > 0) return `table: ${names.join(', ')}`
  const isPlain = typeof additionalProperties !== 'object' || Object.keys(additionalProperties).length === 0
  return isPlain ? 'table' : `table of ${inner(additionalProperties)} by name`
}

function numberText(shape: Shape): string {
  const kind = shape.type === 'integer' ? 'whole number' : 'number'
  const low = shape.minimum === Number.MIN_SAFE_INTEGER ? undefined : shape.minimum
  const high = shape.maximum === Number.MAX_SAFE_INTEGER ? undefined : shape.maximum
  const above = shape.exclusiveMinimum
  if (above !== undefined) return `${kind} above ${above}${high === undefined ? '' : `, at most ${figure(high)}`}`
  if (low !== undefined && high !== undefined) return `${kind} from ${figure(low)} to ${figure(high)}`
  return low === undefined ? kind : `${kind} from ${figure(low)}`
}

function figure(value: number): string {
  return value.toLocaleString('en')
}
