import { oneLine } from '../../../model/text.ts'

/**
 * The user's own sentences in a message, whole. Each pasted block (a log, JSON, code, a diff, a listing, the
 * output of a terminal) becomes one line with its size and where to find it. Takes linear time.
 */
export function ownWords(text: string, where: string): string {
  if (text.length < LEAST_PASTED) return text.trim()
  const blocks = blocksOf(text.replace(/\r\n?/g, '\n').split('\n'))
  const isOwn = ({ lines, pasted }: Block) => !pasted && lines.some((line) => line.trim() !== '')
  // If the whole message is a paste, the paste is what the user said.
  if (!blocks.some(({ pasted }) => pasted) || !blocks.some(isOwn)) return text.trim()
  const parts = blocks.map(({ lines, pasted }) => (pasted ? pastedLine(lines, where) : lines.join('\n')))
  return parts
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The line that replaces a shorter block would cost almost as much. */
const LEAST_PASTED = 280

type Block = { readonly lines: readonly string[]; readonly pasted: boolean }

function pastedLine(lines: readonly string[], where: string): string {
  const full = lines.filter((line) => line.trim() !== '' && !FENCE.test(line))
  const characters = lines.join('\n').length.toLocaleString('en-US')
  const counted = full.length === 1 ? '' : `${full.length} lines, `
  return `[pasted: ${counted}${characters} characters, “${oneLine(full[0] ?? '', 80)}”, recall ${where}]`
}

const FENCE = /^\s*(?:```|~~~)/

/** Runs of lines that are prose and runs that are not. A fenced block is one run; a blank line belongs to the run before it. */
function blocksOf(lines: readonly string[]): Block[] {
  const runs: { lines: string[]; foreign: boolean }[] = []
  let fenced = false
  for (const line of lines) {
    const isFence = FENCE.test(line)
    const foreign = fenced || isFence || looksPasted(line)
    const last = runs.at(-1)
    if (last !== undefined && (last.foreign === foreign || (line.trim() === '' && !fenced))) last.lines.push(line)
    else runs.push({ lines: [line], foreign })
    if (isFence) fenced = !fenced
  }
  return joined(runs).map(({ lines, foreign }) => ({ lines, pasted: foreign && isLong(lines) }))
}

/** One or two lines of prose between two pasted runs are part of the paste: logs contain sentences, too. */
function joined(runs: readonly { lines: string[]; foreign: boolean }[]): { lines: string[]; foreign: boolean }[] {
  const kept: { lines: string[]; foreign: boolean }[] = []
  for (const [i, run] of runs.entries()) {
    const before = kept.at(-1)
    const after = runs[i + 1]
    const isBetween = !run.foreign && run.lines.filter((line) => line.trim() !== '').length <= 2
    const inside = isBetween && before?.foreign && after?.foreign && before.lines.length + after.lines.length > 3
    if (before !== undefined && (inside || (before.foreign && run.foreign))) before.lines.push(...run.lines)
    else kept.push({ lines: [...run.lines], foreign: run.foreign })
  }
  return kept
}

function isLong(lines: readonly string[]): boolean {
  const characters = lines.reduce((sum, line) => sum + line.length + 1, 0)
  return characters >= LEAST_PASTED && (lines.length > 2 || characters >= 2 * LEAST_PASTED)
}

/** True for a line that a program wrote: logs, JSON, code, traces, tables, diffs, prompts and frames of terminals. */
function looksPasted(line: string): boolean {
  const text = line.trim()
  if (text === '') return false
  const shown = text.slice(0, LOOKED_AT)
  if (MACHINE_START.test(shown) || (MACHINE_SIGN.test(shown) && MACHINE_WORDS.test(shown))) return true
  if (/^(?: {4}|\t)/.test(line) && !/^\s*(?:[-*•]|\d+[.)])\s/.test(line) && !isProse(text)) return true
  return !isProse(text)
}

const MACHINE_START =
  /^(?:\[?\d{4}-\d\d-\d\d[T ]\d|\[?\d\d:\d\d:\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d+ \d\d:|[{}[\]<|│┌├└─⏺⎿❯✗✘]|at (?:async |new )?\S+ ?[(\n]|\$ \S|File "|Traceback|diff --git|@@ |[-+]{3} |index [0-9a-f]{7}|(?:import|export|const|let|var|function|class|def|return|public|private|if|for|while)\b.*[;{(:]$|\/\/|#include|[-drwx]{10}\s|(?:error|warning|note|info|debug)(?:\[\w+\])?:|\d+\s*[|→:])/i
/** The repetitions are bounded, because a line may be one word of thousands of characters. */
const MACHINE_WORDS =
  /\b(?:DEBUG|INFO|WARN|ERROR|TRACE|FATAL)\b.{0,200}[=:|]|\b\w{1,60}=\S{1,200} \w{1,60}=\S|"\w{1,60}":\s{0,9}["{[\d]/
/** Every match contains one of these; most lines of prose do not. */
const MACHINE_SIGN = /[=:|]/
/** The beginning of a line shows who wrote it. */
const LOOKED_AT = 2_000

/** Words with spaces between them and few other characters: what people type. A long line must also have ends of sentences. */
function isProse(text: string): boolean {
  const shown = text.slice(0, LOOKED_AT)
  if (LONG_WORD.test(shown)) return false
  if (text.length > 4_000 && (shown.match(/[\p{L}\d)][.!?](?=\s)|[。！？]/gu)?.length ?? 0) < 3) return false
  const letters = lettersIn(shown)
  return letters >= shown.length * 0.72 || (letters >= shown.length * 0.6 && /^\p{L}+['’]?\p{L}* \p{L}/u.test(shown))
}

/** The lookbehind makes it start only at the beginning of a word. */
const LONG_WORD = /(?<!\S)\S{200}/

/** How many letters and spaces a text has. Most texts are plain ASCII, which needs no pattern. */
function lettersIn(text: string): number {
  let letters = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return text.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122
    if (isLetter || code === 32 || (code >= 9 && code <= 13)) letters++
  }
  return letters
}
