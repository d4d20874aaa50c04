import type { TextPart } from '../../model/types.ts'
import type { Fields } from './json.ts'

/** A longer text without a space is encoded bytes, which no model reads as text. */
const LONGEST_WORD = 2_000

/** A text instead of a block of an unknown kind, so that the block is counted and can be summarised. */
export function standIn(block: Fields): TextPart {
  const { type, ...rest } = block
  const text = JSON.stringify(rest, (_key, value) =>
    typeof value === 'string' && value.length > LONGEST_WORD && !/\s/.test(value.slice(0, LONGEST_WORD))
      ? `… ${value.length} characters`
      : value,
  )
  return { type: 'text', text: `[${String(type ?? 'part')}] ${text}` }
}
