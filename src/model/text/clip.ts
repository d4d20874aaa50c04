import { oneLine } from './one-line.ts'

/** A text on one line of at most so many characters; where it was cut it ends with a whole word, as half a name is a wrong one. */
export function clip(text: string, characters: number): string {
  const line = oneLine(text, characters)
  if (!line.endsWith('…')) return line
  const end = line.search(/\s\S*…$/)
  return end > characters * 0.6 ? `${line.slice(0, end).replace(/[\s,;:–-]+$/, '')} …` : line
}
