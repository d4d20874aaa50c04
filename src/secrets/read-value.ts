/** The position of a value. `isWhole` is false if code follows: a bracket or a comma. */
export type ReadValue = { readonly from: number; readonly to: number; readonly isWhole: boolean }

/** The value at a position: in quotes without white space, or a word. */
export function readValue(text: string, start: number): ReadValue | undefined {
  let from = start
  while (text[from] === '\\' && from < start + 4) from++
  const quote = text[from]
  if (quote === '"' || quote === "'" || quote === '`') {
    const to = endOf(text, from + 1, ENDS_QUOTED)
    return text[to] === quote || text[to] === '\\' ? { from: from + 1, to, isWhole: true } : undefined
  }
  if (from !== start) return undefined
  const to = endOf(text, from, ENDS_WORD)
  if (to === from + LONGEST) return undefined
  return { from, to, isWhole: to === text.length || CODE[text.charCodeAt(to)] !== 1 }
}

/** The position after the blanks at `at`, of which there may be a few. */
export function skipBlanks(text: string, at: number): number {
  let next = at
  while (next < at + MOST_BLANKS && (text[next] === ' ' || text[next] === '\t')) next++
  return next
}

/** A table by character code, with 1 for these characters. */
export function characterTable(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}

function endOf(text: string, from: number, ends: Uint8Array): number {
  const most = Math.min(text.length, from + LONGEST)
  let to = from
  while (to < most && ends[text.charCodeAt(to)] !== 1) to++
  return to
}

/** Longer values are not passwords. Long tokens and private keys are found by their format. */
const LONGEST = 200
const MOST_BLANKS = 4
const ENDS_QUOTED = characterTable(` \t\r\n"'\`\\`)
const ENDS_WORD = characterTable(` \t\r\n"'\`\\<>(){}[],;&|`)
const CODE = characterTable('>(){}[],')
