import { FORMATS } from '../../src/formats/formats.ts'
import type { Format } from '../../src/formats/shared/format.ts'
import { pageWithBlocks } from './blocks.ts'
import { code, table } from './markdown.ts'

/** docs/formats.md: the list of formats. */
export function formatsPage(): string {
  const list = table(['format', 'of', 'Pith', 'where `pith sessions` looks'], FORMATS.map(rowOf))
  return pageWithBlocks('docs/formats.md', { formats: list })
}

function rowOf({ name, label, read, write, places }: Format): string[] {
  const does = [read === undefined ? [] : ['reads'], write === undefined ? [] : ['writes']].flat().join(' and ')
  const variables = places?.variables.map((variable) => code(variable.name)).join(' or ')
  const folders = places?.folders.map(code).join(', ')
  return [code(name), label, `${does} it`, folders === undefined ? '' : `${folders}, or where ${variables} points`]
}
