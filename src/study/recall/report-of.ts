import { estimate } from '../../engine/context/measure/calibration.ts'
import { plainItem } from '../../engine/context/view/plain-view.ts'
import { indexDelta } from '../../engine/extract/index-delta.ts'
import { checkMessages } from '../../model/problems/check-arguments.ts'
import { PithError } from '../../model/problems/errors.ts'
import { checkOptions, type OptionNames } from '../../model/problems/problem-text.ts'
import { excerpt, oneLine } from '../../model/text.ts'
import { callsOf, type EntryOf, type Message, type Seq, textOf } from '../../model/types.ts'

/** The name of a sub-agent's conversation, and the room for its report. */
type ReportOptions = {
  /** Names the conversation in handles: `explore-1#12` is its twelfth message. */
  readonly name: string
  /** The most tokens of the sub-agent's own words; 2,000 if absent. A longer answer is shortened to its beginning and end. */
  readonly tokens?: number
}

const OPTIONS: OptionNames<ReportOptions> = { name: true, tokens: true }
const LISTED_FILES = 20

/**
 * The report of a sub-agent for the conversation that asked for it: its last answer, the files that it changed according to its
 * calls, and the handles of its transcript. Return it as the result of the call that started the sub-agent: nothing else of its
 * messages enters the parent's context, and `recall` finds the rest if you pass them as `children`.
 *
 * @example
 * ```ts
 * import { reportOf } from 'pith'
 *
 * const report = reportOf(messages, { name: 'explore-1' })
 * console.log(report.endsWith('explore-1#1-#2]'))
 * ```
 */
export function reportOf(messages: readonly Message[], options: ReportOptions): string {
  checkOptions('reportOf', options, OPTIONS)
  const { name, tokens = REPORT_TOKENS } = options
  checkAgentName(name)
  checkMessages(messages)
  return reportOfLog(
    messages.map((message, i) => ({ type: 'message', id: `e${i + 1}`, seq: i + 1, at: 0, message })),
    { name, tokens, upTo: messages.length },
  )
}

/** The messages of a sub-agent's log, and how it ended. */
type LogReport = Required<ReportOptions> & {
  /** The last entry of its log. */
  readonly upTo: Seq
  /** Why it did not finish: a clause. */
  readonly unfinished?: string
}

/** The same for the messages of a log. If it did not finish, its last words are quoted. */
export function reportOfLog(log: readonly EntryOf<'message'>[], report: LogReport): string {
  const { name, upTo } = report
  return `${saidIn(log, report)}\n\n[${[`sub-agent ${name}`, ...changed(log), transcript(name, upTo)].join('; ')}]`
}

/** The room for the words of a report. */
export const REPORT_TOKENS = 2_000

function saidIn(log: readonly EntryOf<'message'>[], { name, tokens, unfinished }: LogReport): string {
  const last = unfinished === undefined ? log.at(-1) : log.findLast(isSaid)
  const isAnswer =
    last !== undefined && isSaid(last) && (unfinished !== undefined || callsOf(last.message).length === 0)
  const words = isAnswer ? shortened(textOf(last.message).trim(), tokens, `${name}#${last.seq}`) : ''
  if (unfinished === undefined) return words === '' ? `The sub-agent ${name} ended without an answer.` : words
  const end = `The sub-agent ${name} did not finish: ${unfinished}.`
  return words === '' ? end : `${end} Its last words:\n\n${words}`
}

function isSaid({ message }: EntryOf<'message'>): boolean {
  return message.role === 'assistant' && textOf(message).trim() !== ''
}

/** A name is part of a text and of handles, so it must not be able to end a line or to read as words. */
export function checkAgentName(name: string): void {
  if (typeof name === 'string' && NAME.test(name)) return
  const allowed = 'it may have 4 to 80 letters, digits, and the signs _ . : -'
  throw new PithError('bad-argument', `${JSON.stringify(name)} is not a name of a sub-agent: ${allowed}`)
}

const NAME = /^\w[\w.:-]{3,79}$/

function transcript(name: string, upTo: Seq): string {
  return upTo === 0 ? 'it has no messages' : `transcript ${name}#1${upTo === 1 ? '' : `-#${upTo}`}`
}

function shortened(words: string, tokens: number, handle: string): string {
  const size = estimate(words)
  if (size <= tokens) return words
  const room = Math.floor((words.length * tokens) / size)
  const head = Math.ceil(room / 2)
  return excerpt(words, { head, tail: room - head }, handle)
}

/** The files that the log shows as changed. The parent's record cannot know them, because the calls are not in its log. */
function changed(log: readonly EntryOf<'message'>[]): string[] {
  const { files = [] } = indexDelta(log.map((entry) => plainItem(entry)))
  const paths = [...new Set(files.flatMap(({ path, access }) => (access === 'modified' ? [path] : [])))].toSorted()
  if (paths.length === 0) return []
  const listed = paths.slice(0, LISTED_FILES).map((path) => oneLine(path, 200))
  return [
    `changed ${listed.join(', ')}${paths.length > LISTED_FILES ? ` and ${paths.length - LISTED_FILES} more` : ''}`,
  ]
}
