/** The rows of Latin words whose letters are also looked up in pairs. */
export const PAIRED_ROWS = ['spaced', 'afterSign', 'bare', 'camel', 'afterDigit', 'mixed', 'upper'] as const
export type PairedRow = (typeof PAIRED_ROWS)[number]

/**
 * Every character of a text belongs to a row and a place in it. Words are told apart by what stands before them and by
 * their script, for that is where tokenizers cut before they look into their vocabulary; the place of a letter is how
 * far into its word it is. The place of everything else is what it follows.
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

/** How many numbers `countFeatures` returns: every place of every row, then the sum of the pairs of every paired row. */
export const FEATURES = ROWS.length * PLACES + PAIRED_ROWS.length
