import { parseDocument } from 'yaml'
import { PithError } from '../../model/problems/errors.ts'
import { tableOf, type Value } from '../value.ts'
import { type ValueSource, valuesOf } from '../values-of.ts'
import { checkProgramTable } from './check-program-table.ts'

/** The values of a key and its text, as a variable, a flag or `pith config set` gives them. */
export function valuesFromText(key: string, text: string, place: ValueSource): Value[] {
  return valuesOf(tableAt(key, valueFromText(key, text)), place)
}

/** The value of a text for a key: the text itself where the key takes one, otherwise its YAML value (`50`, `false`, `[a, b]`). */
export function valueFromText(key: string, text: string): unknown {
  return accepts(key, text) ? text : yamlValue(text)
}

function accepts(key: string, value: unknown): boolean {
  try {
    const where = () => ''
    checkProgramTable(key, valuesOf(tableAt(key, value), { source: '', folder: '', where }), where)
    return true
  } catch (error) {
    if (error instanceof PithError) return false
    throw error
  }
}

function tableAt(key: string, value: unknown): Record<string, unknown> {
  return tableOf([{ path: key.split('.'), value }])
}

function yamlValue(text: string): unknown {
  const document = parseDocument(text)
  return document.errors.length === 0 ? document.toJS() : text
}
