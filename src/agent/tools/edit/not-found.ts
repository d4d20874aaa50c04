/** Why a text was not found: because of its line numbers, because of white space, or because it is not there. */
export function notFound(text: string, oldText: string): string {
  const plain = withoutNumbers(oldText)
  if (plain !== undefined && text.replaceAll('\r\n', '\n').includes(plain)) {
    return '`oldText` has the line numbers of read in it: leave out the number and the tab of each line'
  }
  const line = lineApartFromSpaces(text, oldText)
  return line === undefined
    ? '`oldText` is not found in the file: read the lines again and copy them exactly'
    : `\`oldText\` is not found exactly, but it is with other white space at line ${line}: copy its spaces and tabs from the file`
}

function withoutNumbers(text: string): string | undefined {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const numbered = lines.every((line, i) => /^\s*\d+\t/.test(line) || (line === '' && i === lines.length - 1))
  return numbered ? lines.map((line) => line.replace(/^\s*\d+\t/, '')).join('\n') : undefined
}

/** The line at which the text stands if runs of white space do not count; the whole is looked through once. */
function lineApartFromSpaces(text: string, part: string): number | undefined {
  const words = part.replace(/\s+/g, '')
  if (words === '') return undefined
  const at = text.replace(/\s+/g, '').indexOf(words)
  return at === -1 ? undefined : lineOfCharacter(text, at)
}

/** The line of the character at this place, white space not counted. */
function lineOfCharacter(text: string, place: number): number {
  let left = place
  for (const [i, line] of text.split('\n').entries()) {
    left -= line.replace(/\s+/g, '').length
    if (left < 0) return i + 1
  }
  return 1
}
