import fc from 'fast-check'

/** Halves of pairs, which are not characters alone. */
const SURROGATES = { first: 0xd800, count: 0x800 }

/** Any character of Unicode, as the unit of strings. The unit `binary` makes a table of all million of them: a second. */
export const anyCharacter = fc
  .nat({ max: 0x10_ffff - SURROGATES.count })
  .map((n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count))
