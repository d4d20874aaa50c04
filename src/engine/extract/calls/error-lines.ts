import { headOf } from '../../../model/text/shorten.ts'
import { withoutEscapes } from '../../../model/text/without-escapes.ts'
import { withoutClientNotes } from '../text/client-notes.ts'
import { isFrame } from './exit-status.ts'

/**
 * The lines of an output that say best what went wrong: the first and the last ones that name an error, of a Python
 * traceback its last; where none does, the last line. At most three, without colours, each at most 200 characters.
 */
export function errorLines(text: string): string[] {
  const strong: string[] = []
  const weak: string[] = []
  let last = ''
  let inTraceback = false
  for (const line of plainLines(withoutClientNotes(text))) {
    const trimmed = line.trim()
    if (trimmed === '' || isFrame(trimmed)) continue
    last = trimmed
    if (TRACEBACK.test(trimmed)) inTraceback = true
    else if (!inTraceback || !/^[\s|]/.test(line)) {
      const strength = inTraceback ? 'strong' : strengthOf(trimmed)
      inTraceback = false
      if (strength !== undefined) keep(strength === 'strong' ? strong : weak, trimmed)
    }
  }
  const lines = strong.length > 0 ? strong : weak.length > 0 || last === '' ? weak : [last]
  return [...new Set(lines.map(errorLine))]
}

/** A line that is short enough to be kept, without colours. */
export function errorLine(line: string): string {
  return headOf(withoutEscapes(line.slice(0, LOOKED_AT)).trim(), LONGEST_LINE)
}

const MOST_LINES = 3
const LONGEST_LINE = 200
/** Of a longer line only its beginning is looked at. */
const LOOKED_AT = 2000

const TRACEBACK = /Traceback \(most recent call last\)/
/** Whole words, but not the parts of a file's name or an option: `test-failed-1.png`, `--error-on-warnings`. */
const STRONG = new RegExp(
  [
    String.raw`(?<![\w/.-])(?:errors?|err!|exception|failed|failures?|fail|fatal|panic(?:ked)?|abort(?:ed)?|killed)(?![\w/-])`,
    String.raw`\w(?:Error|Exception)\b|\b(?:cannot|can't|could not|couldn't|unable to|not found|no such file)\b`,
    String.raw`\b(?:denied|rejected|refused|conflict|timed out|segmentation fault|assert(?:ion)?)\b|[✗✘✖❌]|^×|^E {2,}\S`,
  ].join('|'),
  'i',
)
const WEAK =
  /\b(?:un(?:known|expected|matched|recognized|defined|resolved)|invalid|missing|does(?: not|n't)|is not|no such)\b/i
/** Lines that only say that something failed before them. */
const ECHO =
  /^\W*(?:errors?|fail(?:ed|ures?)?)\W*$|^npm (?:error|ERR!)|ELIFECYCLE|^husky|^error: script |^error Command failed|^g?make(?:\[\d+\])?: \*\*\*|\bthe above exception\b/i
/** Lines that name errors and mean none. */
const FINE =
  /^(?:✓|✔|√|ok\b|PASS)|\b(?:0|no) (?:errors?|fail(?:ed|ures?|s)?|exceptions?)\b(?!.*\b[1-9]\d* (?:errors?|fail))/i

function strengthOf(line: string): 'strong' | 'weak' | undefined {
  if (FINE.test(line)) return undefined
  if (ECHO.test(line)) return 'weak'
  return STRONG.test(line) ? 'strong' : WEAK.test(line) ? 'weak' : undefined
}

/** The first two stay, the third is always the newest. */
function keep(found: string[], line: string): void {
  if (found.includes(line)) return
  if (found.length === MOST_LINES) found.pop()
  found.push(line)
}

function* plainLines(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = withoutEscapes(text.slice(start, Math.min(end, start + LOOKED_AT))).trimEnd()
    // A progress bar has written over the rest of the line.
    yield line.slice(line.lastIndexOf('\r') + 1)
    start = end + 1
  }
}
