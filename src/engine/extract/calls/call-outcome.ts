import { headOf, withoutEscapes } from '../../../model/text.ts'
import { type JsonValue, outputText, type ToolResultOutput } from '../../../model/types.ts'
import { withoutClientNotes } from '../text/client-notes.ts'
import { exitStatus, isFrame } from './exit-status.ts'

/** The text in the view for a result that was never stored. */
export const NO_RESULT = '[no result: the call was interrupted]'

/** How a command ended; `ok` is undefined if the result does not say. */
export type CallOutcome = { ok: boolean | undefined; exit?: number; errorLines: string[] }

/** How a command ended, from its result as the agents write it. `errorLines` has lines only if it failed. */
export function outcomeOf(output: ToolResultOutput): CallOutcome {
  const value = structured(output)
  const text = value === undefined ? outputText(output) : textIn(value)
  // If the agent stores the exit status separately from the text, the codec puts it into these options.
  const exit = exitIn(Object.values(output.providerOptions ?? {})) ?? exitIn([value]) ?? exitStatus(text)
  const ok = isRefusal(output) || saysFailed(value) ? false : exit === undefined ? undefined : exit === 0
  return { ok, ...(exit !== undefined && { exit }), errorLines: ok === false ? linesOf(text) : [] }
}

/** The text of a result, without the JSON that some agents put around it. */
export function textOfResult(output: ToolResultOutput): string {
  const value = structured(output)
  return value === undefined ? outputText(output) : textIn(value)
}

/** The id of a command that was still running when its call had this result; undefined if it was not. */
export function runningCommand(output: ToolResultOutput): string | undefined {
  if (output.type !== 'text') return undefined
  const frame = output.value.slice(0, FRAME_CHARACTERS)
  // Searched as plain texts first: every result is asked several times, and hardly any has one of these.
  return STARTED.some((words) => frame.includes(words)) ? RUNNING.exec(frame)?.[1] : undefined
}

const FRAME_CHARACTERS = 600
/** The words of Codex, Claude Code and Copilot CLI before the id of a command that runs. */
const STARTED = [
  'Process running with session ID',
  'Command running in background with ID',
  '<command started in background with shellId',
]
const RUNNING = new RegExp(`^(?:${STARTED.join('|')}):? ?([\\w-]+)`, 'm')

/** True if the result says that a command runs on in the background. */
export function isStillRunning(output: ToolResultOutput): boolean {
  if (runningCommand(output) !== undefined) return true
  return output.type === 'text' && POLLED.test(output.value.slice(0, FRAME_CHARACTERS))
}

/** Claude Code's answer to a call that asks for the output of a command. */
const POLLED = /^<status>running<\/status>$/m

/** True if the tool itself reports that it failed or did not run. */
export function isRefusal(output: ToolResultOutput): boolean {
  if (output.type === 'error-text' || output.type === 'error-json' || isRejection(output)) return true
  return output.type === 'text' && TOOL_ERROR.test(output.value)
}

/** True if the tool did not run: the user or a rule did not allow it, or the client cancelled it. */
export function isRejection(output: ToolResultOutput): boolean {
  if (output.type === 'execution-denied') return true
  if (output.type === 'error-text' && REJECTED.test(output.value)) return true
  return (output.type === 'text' || output.type === 'error-text') && output.value.startsWith(NOT_RUN)
}

/** Claude Code. The output of a command that failed begins with its exit status instead. */
const NOT_RUN = '<tool_use_error>'

/** How Claude Code and the editor of OpenHands begin an error of a tool. */
const TOOL_ERROR = /^(?:<tool_use_error>|ERROR:\r?\n)/
/** Claude Code. The user's words follow, but any tool could print this phrase: only the reader of a format may attribute them to the user. */
const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action)/

/** Only the first line is about the tool itself; the lines after it may be code that it did not find. */
function linesOf(text: string): string[] {
  if (REJECTED.test(text)) return ['The call was rejected.']
  const start = TOOL_ERROR.exec(text)?.[0].length
  if (start === undefined) return errorLines(text)
  const message = text.slice(start).split('\n', 1)[0] ?? ''
  return [errorLine(message.replace('</tool_use_error>', ''))].filter((line) => line !== '')
}

const EXIT_NAMES = ['exit_code', 'exitCode', 'exit', 'returncode'] as const
const TEXT_NAMES = ['output', 'content', 'text', 'aggregated_output', 'stdout', 'stderr', 'error', 'message'] as const

type Fields = Readonly<Record<string, JsonValue | undefined>>

/** The fields of an object; undefined for any other value. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** A JSON result, including the one that Codex stores as text: `{"output":…,"metadata":{"exit_code":…}}`. */
function structured(output: ToolResultOutput): JsonValue | undefined {
  if (output.type === 'json' || output.type === 'error-json') return output.value
  if (output.type !== 'text' && output.type !== 'error-text') return undefined
  if (!output.value.startsWith('{"') || !output.value.includes('"metadata"')) return undefined
  const fields = fieldsOf(parsedJson(output.value))
  return typeof fields?.output === 'string' && fieldsOf(fields.metadata) !== undefined
    ? (fields as JsonValue)
    : undefined
}

/** The value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function exitIn(values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const fields = fieldsOf(value)
    if (fields === undefined) continue
    for (const candidate of [fields, fieldsOf(fields.metadata)]) {
      const exit = EXIT_NAMES.map((name) => candidate?.[name]).find(Number.isInteger)
      if (typeof exit === 'number') return exit
    }
  }
  return undefined
}

function saysFailed(value: JsonValue | undefined): boolean {
  const fields = fieldsOf(value)
  if (fields === undefined) return false
  return fields.success === false || fields.ok === false || fields.isError === true
}

function textIn(value: JsonValue): string {
  const fields = fieldsOf(value)
  if (fields === undefined) return typeof value === 'string' ? value : outputText({ type: 'json', value })
  const texts = TEXT_NAMES.map((name) => fields[name]).filter((text) => typeof text === 'string' && text !== '')
  return texts.length === 0 ? outputText({ type: 'json', value }) : texts.join('\n')
}

/**
 * The lines of an output that explain best what went wrong: the first and the last ones that name an error, or the last
 * line of a Python traceback, or else the last line. At most three, without colours, each at most 200 characters.
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
function errorLine(line: string): string {
  return headOf(withoutEscapes(line.slice(0, LOOKED_AT)).trim(), LONGEST_LINE)
}

const MOST_LINES = 3
const LONGEST_LINE = 200
/** Only this much of a line is read. */
const LOOKED_AT = 2000

const TRACEBACK = /Traceback \(most recent call last\)/
/** Whole words, but not parts of a file name or an option: `test-failed-1.png`, `--error-on-warnings`. */
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
/** The place of an error, as compilers and linters print it: `src/a.ts(3,5): …`, `a.go:12:5: …`. */
const LOCATED = /^(?:\.{0,2}\/)?[\w@./-]+\.\w{1,8}(?::\d+(?::\d+)?|\(\d+,\d+\)):? +\S|^--- FAIL: /
/** Lines that only report an earlier failure. */
const ECHO =
  /^\W*(?:errors?|fail(?:ed|ures?)?)\W*$|^FAIL\s+\S+(?:\s+\[[\w ]+\]|\s+\d[\d.]*m?s)?$|^exit status \d+$|^npm (?:error|ERR!)|ELIFECYCLE|^husky|^error: script |^error Command failed|^g?make(?:\[\d+\])?: \*\*\*|\bthe above exception\b/i
/** Lines that mention errors although there are none. */
const FINE =
  /^(?:✓|✔|√|ok\b|PASS)|\b(?:0|no) (?:errors?|fail(?:ed|ures?|s)?|exceptions?)\b(?!.*\b[1-9]\d* (?:errors?|fail))/i

function strengthOf(line: string): 'strong' | 'weak' | undefined {
  if (FINE.test(line)) return undefined
  if (ECHO.test(line)) return 'weak'
  return (LOCATED.test(line) && !/\bwarning\b/i.test(line)) || STRONG.test(line)
    ? 'strong'
    : WEAK.test(line)
      ? 'weak'
      : undefined
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
    // A progress bar has overwritten the beginning of the line.
    yield line.slice(line.lastIndexOf('\r') + 1)
    start = end + 1
  }
}
