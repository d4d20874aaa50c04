/** True when most lines of a text end in CRLF. */
export function endsInCrlf(text: string): boolean {
  const crlf = count(text, '\r\n')
  return crlf > 0 && crlf * 2 > count(text, '\n')
}

/** The text with every line end as CRLF. */
export function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}

/** The text with the line ends and the byte order mark of the old one, so that the model need not care about them. */
export function inStyleOf(old: string, text: string): string {
  const lines = endsInCrlf(old) ? withCrlf(text) : text
  return old.startsWith(MARK) && !lines.startsWith(MARK) ? MARK + lines : lines
}

const MARK = '\ufeff'

function count(text: string, part: string): number {
  let found = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found++
  return found
}
