import { evaluate, parse } from '@humanwhocodes/momoa'
import { type Fields, fields } from '../../formats/shared/json.ts'

/** The object that a configuration file holds: with comments and commas at the end, as opencode takes them. */
export function commentedJson(text: string | undefined): Fields | undefined {
  try {
    const { body } = parse((text ?? '').replace(/^\uFEFF/, ''), { mode: 'jsonc', allowTrailingCommas: true })
    return fields(evaluate(body))
  } catch {
    return undefined
  }
}
