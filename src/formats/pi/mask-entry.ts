import { type Fields, fields, list, wholeNumber } from '../shared/json.ts'

/** The type of the entry in which the extension for pi notes the results that it masks. pi keeps it and does not send it to a model. */
export const MASK_ENTRY = 'pith-mask'

/** The entries of pi whose results are masked, and the most characters of names and of quoted lines in their handles. */
export type PiMask = {
  readonly targets: readonly string[]
  readonly nameCharacters?: number
  readonly lineCharacters?: number
}

/** The mask that an entry of pi notes, if it is ours. */
export function maskIn(entry: Fields): PiMask | undefined {
  if (entry.type !== 'custom' || entry.customType !== MASK_ENTRY) return undefined
  const data = fields(entry.data)
  return {
    targets: list(data?.targets).map(String),
    nameCharacters: wholeNumber(data?.nameCharacters),
    lineCharacters: wholeNumber(data?.lineCharacters),
  }
}
