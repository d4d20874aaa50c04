import { plain, sentencesOf } from './sentences.ts'

/** A report of an agent in parts: its sentences and items, rows of its tables, and its short pieces of code. Headings are left out. */
export function reportParts(text: string): string[] {
  return blocksOf(text).flatMap(({ kind, lines }) => {
    if (kind === 'code') return codePart(lines)
    if (kind === 'table') return tableRows(lines)
    return sentencesOf(lines.filter((line) => !/^#{1,6} /.test(line)).join('\n')).map(plain)
  })
}

type TextBlock = { readonly kind: 'prose' | 'code' | 'table'; readonly lines: string[] }

function blocksOf(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let inCode = false
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (trimmed.startsWith('```')) {
      inCode = !inCode
      if (inCode) blocks.push({ kind: 'code', lines: [] })
      else blocks.push({ kind: 'prose', lines: [] })
      continue
    }
    const kind = inCode ? 'code' : trimmed.startsWith('|') ? 'table' : 'prose'
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(trimmed)
    else blocks.push({ kind, lines: [trimmed] })
  }
  return blocks
}

/** A command or a line of code says more than the words around it; a long one is an example or a drawing. */
const CODE_CHARACTERS = 240

function codePart(lines: readonly string[]): string[] {
  const code = lines.filter((line) => line !== '').join(' ')
  return code === '' || code.length > CODE_CHARACTERS || code.includes('`') ? [] : [`\`${code}\``]
}

/** Rows as `first: second, third`, without the line of headings. */
function tableRows(lines: readonly string[]): string[] {
  const rule = lines.findIndex((line) => /^\|[\s:|-]+\|?$/.test(line))
  return lines.slice(rule + 1).flatMap((line) => {
    const [first = '', ...others] = cellsOf(line)
    const rest = others.filter((cell) => cell !== '').join(', ')
    return first === '' && rest === '' ? [] : [rest === '' ? first : `${first}: ${rest}`]
  })
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => plain(cell.trim()))
}
