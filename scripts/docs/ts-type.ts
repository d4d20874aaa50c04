import type { Shape } from './type-text.ts'

/** A shape as a type of TypeScript. Every table of ours may get more fields, so those that say so have them as unknown. */
export function tsType(shape: Shape, indent = ''): string {
  const inner = (each: unknown) => (isShape(each) ? tsType(each, indent) : 'unknown')
  if (shape.$ref !== undefined) return `Api${shape.$ref.split('/').at(-1)}`
  if (shape.const !== undefined) return literal(shape.const)
  if (shape.enum !== undefined) return shape.enum.map(literal).join(' | ')
  const choices = shape.anyOf ?? shape.oneOf
  if (choices !== undefined) return [...new Set(choices.map(inner))].join(' | ')
  if (shape.allOf !== undefined) return shape.allOf.map(inner).join(' & ')
  if (Array.isArray(shape.type)) return shape.type.map((type) => inner({ ...shape, type })).join(' | ')
  switch (shape.type) {
    case 'array':
      return `readonly (${inner(shape.items)})[]`
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return shape.type
    case 'object':
      return tableType(shape, indent)
    default:
      return 'unknown'
  }
}

function tableType({ properties = {}, required = [], additionalProperties }: Shape, indent: string): string {
  const deeper = `${indent}  `
  const fields = Object.entries(properties).map(([name, each]) => {
    const type = isShape(each) ? tsType(each, deeper) : 'unknown'
    const about = isShape(each) && each.description !== undefined ? `${deeper}/** ${each.description} */\n` : ''
    return `${about}${deeper}readonly ${name}${required.includes(name) ? '' : '?'}: ${type}`
  })
  const more = isShape(additionalProperties) || additionalProperties === true
  if (more) fields.push(`${deeper}readonly [name: string]: unknown`)
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n${indent}}`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null
}
