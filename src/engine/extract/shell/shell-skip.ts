/** A heredoc that was announced: its end mark, and whether tabs before the mark are allowed. */
export type HeredocMark = { mark: string; tabs: boolean }

/** The mark announced by the `<<` at this index and the index behind it, if there is one. */
export function heredocMark(text: string, index: number): (HeredocMark & { end: number }) | undefined {
  MARK.lastIndex = index
  const match = MARK.exec(text)
  const mark = match?.[2] ?? match?.[3] ?? match?.[4]
  return match === null || mark === undefined ? undefined : { mark, tabs: match[1] === '-', end: MARK.lastIndex }
}

/** Where the body that starts at this index ends, and where the line behind its mark starts. */
export function heredocEnd(text: string, index: number, { mark, tabs }: HeredocMark): { body: number; next: number } {
  for (let start = index; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end)
    if ((tabs ? line.replace(/^\t+/, '') : line) === mark) return { body: start, next: end + 1 }
    start = end + 1
  }
  return { body: text.length, next: text.length }
}

/** The index behind a `$(…)`, `${…}`, `(…)` whose inside starts at this index; the end of the text if it stays open. */
export function skipNested(text: string, index: number, close: ')' | '}'): number {
  const open: (')' | '}' | '"')[] = [close]
  const heredocs: HeredocMark[] = []
  let i = index
  while (i < text.length) {
    const char = text[i]
    const top = open.at(-1)
    const nested = char === '$' ? CLOSES[text[i + 1] ?? ''] : undefined
    if (char === '\\') i += 2
    else if (char === top) {
      open.pop()
      i++
      if (open.length === 0) return i
    } else if (nested !== undefined) {
      open.push(nested)
      i += 2
    } else if (top === '"') i++
    else if (char === '"') {
      open.push('"')
      i++
    } else if (char === '`') i = skipTo(text, i + 1, '`')
    else if (top === '}') i++
    else if (char === "'") i = skipTo(text, i + 1, "'")
    else if (char === '(') {
      open.push(')')
      i++
    } else if (char === '#' && /[\s(;]/.test(text[i - 1] ?? ' ')) i = lineEnd(text, i)
    else if (char === '<' && text[i + 1] === '<') {
      const heredoc = text[i + 2] === '<' ? undefined : heredocMark(text, i)
      if (heredoc !== undefined) heredocs.push(heredoc)
      i = heredoc?.end ?? i + 3
    } else if (char === '\n') {
      i++
      for (const heredoc of heredocs.splice(0)) i = heredocEnd(text, i, heredoc).next
    } else i++
  }
  return text.length
}

/** The index behind the next such quote; a backslash hides one, except from a single quote. */
export function skipTo(text: string, index: number, quote: "'" | '`'): number {
  if (quote === "'") {
    const end = text.indexOf(quote, index)
    return end === -1 ? text.length : end + 1
  }
  for (let i = index; i < text.length; i++) {
    if (text[i] === quote) return i + 1
    if (text[i] === '\\') i++
  }
  return text.length
}

/** The index of the next line feed, or the end of the text. */
export function lineEnd(text: string, index: number): number {
  const newline = text.indexOf('\n', index)
  return newline === -1 ? text.length : newline
}

const CLOSES: Readonly<Record<string, ')' | '}' | undefined>> = { '(': ')', '{': '}' }
const MARK = /<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([^\s'"\\;&|()<>`]+))/y
