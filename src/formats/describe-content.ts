import { fields, list, parsed } from './shared/json.ts'

/** What a text looks like that is no session of a known format: enough to see which program wrote it. */
export function describeContent(text: string): string {
  const whole = parsed(text)
  if (whole !== undefined) return describeValue(whole)
  const [first = '', second] = text.split('\n', 200).filter((line) => line.trim() !== '')
  const line = parsed(first)
  if (line !== undefined && second !== undefined) return `lines of JSON, the first ${describeValue(line)}`
  return /^\s*[[{]/.test(text) ? 'JSON that is cut off or damaged' : 'text that is no JSON'
}

const SHOWN_NAMES = 8

function describeValue(value: unknown): string {
  if (Array.isArray(value)) {
    const [first] = list(value)
    return first === undefined ? 'an empty list' : `a list, its first item ${describeValue(first)}`
  }
  const object = fields(value)
  if (object === undefined) return value === null ? 'null' : `a ${typeof value}`
  const names = Object.keys(object)
  const type = typeof object.type === 'string' ? ` of type ${JSON.stringify(object.type.slice(0, 40))}` : ''
  const shown = names.slice(0, SHOWN_NAMES).map((name) => name.slice(0, 40))
  return names.length === 0
    ? 'an empty object'
    : `an object${type} with ${shown.join(', ')}${names.length > SHOWN_NAMES ? ', …' : ''}`
}
