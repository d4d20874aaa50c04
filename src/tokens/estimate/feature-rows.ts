/** The rows of Latin words. Their letters are also looked up in pairs. */
export const PAIRED_ROWS = ['spaced', 'afterSign', 'bare', 'camel', 'afterDigit', 'mixed', 'upper'] as const
export type PairedRow = (typeof PAIRED_ROWS)[number]

/**
 * Every character of a text has a row and a place in it. The row of a word depends on its script and on the character
 * before it, because that is where tokenizers cut before they use their vocabulary. The place of a letter is its position
 * in the word; the place of anything else depends on what it follows.
 */
export const ROWS = [
  ...PAIRED_ROWS,
  'accented',
  'accent',
  'vietnamese',
  'cyrillic',
  'otherCyrillic',
  'greek',
  'arabic',
  'hebrew',
  'indic',
  'thai',
  'hangul',
  'katakana',
  'hiragana',
  'han',
  'traditional',
  'otherScript',
  'letterAgain',
  'digit',
  'space',
  'tab',
  'newline',
  'sign',
  'typography',
  'symbol',
  'box',
  'wide',
  'emoji',
  'rest',
] as const
export type Row = (typeof ROWS)[number]
export const PLACES = 8

/** The number of values that `countFeatures` returns: every place of every row, then the sum of the pairs of every paired row. */
export const FEATURES = ROWS.length * PLACES + PAIRED_ROWS.length
