import type { TextPiece } from '../ledger/text-pieces.ts'
import type { Word } from './shell-lexer.ts'
import { parseArguments } from './shell-options.ts'
import type { ShellCommand } from './shell-steps.ts'

/** What `cat > file <<EOF` writes into the file. */
export function heredocPieces(name: string | undefined, operator: string, { heredocs }: ShellCommand): TextPiece[] {
  if (name !== undefined && name !== 'cat' && name !== 'tee') return []
  if (!operator.includes('>')) return []
  return heredocs.slice(0, 1).map((after) => (operator.includes('>>') ? { before: '', after } : { after }))
}

/** What a command that names a file puts into it: `tee file <<EOF`, `sed -i s/old/new/ file`. */
export function commandPieces(name: string, words: readonly Word[], { heredocs }: ShellCommand): TextPiece[] {
  if (name === 'tee') {
    const { options } = parseArguments(words, {})
    return heredocs.slice(0, 1).map((after) => (options.has('a') ? { before: '', after } : { after }))
  }
  if (name !== 'sed' && name !== 'perl') return []
  return words.flatMap(({ text }) => substitution(text)).slice(0, MOST_PIECES)
}

const MOST_PIECES = 20

/** `s/old/new/g` */
function substitution(script: string): TextPiece[] {
  const [, sign] = /^(?:\d{1,9}(?:,(?:\d{1,9}|\$))?)?s([/|#,@!%~])/.exec(script) ?? []
  if (sign === undefined || script.length > LONGEST_SCRIPT) return []
  const [, before = '', after = ''] = script.split(new RegExp(String.raw`(?<!\\)[${sign}]`))
  return before === '' ? [] : [{ before: plain(before), after: plain(after) }]
}

const LONGEST_SCRIPT = 4_000

/** Without the backslashes of a pattern. */
function plain(pattern: string): string {
  return pattern.replace(/\\n/g, '\n').replace(/\\([^\w])/g, '$1')
}
