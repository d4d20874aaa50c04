import { estimate } from '../../engine/context/measure/calibration.ts'
import { plainItem } from '../../engine/context/view/plain-view.ts'
import { indexDelta } from '../../engine/extract/index-delta.ts'
import { checkMessages } from '../../model/problems/check-arguments.ts'
import { PithError } from '../../model/problems/errors.ts'
import { checkOptions, type OptionNames } from '../../model/problems/problem-text.ts'
import { excerpt, oneLine } from '../../model/text.ts'
import { callsOf, type EntryOf, type Message, textOf } from '../../model/types.ts'

/** The name of a sub-agent's conversation, and the room for its report. */
type ReportOptions = {
  /** Names the conversation in handles: `explore-1#12` is its twelfth message. */
  readonly name: string
  /** The most tokens of the sub-agent's own words; 2,000 if absent. A longer answer is shortened to its beginning and end. */
  readonly tokens?: number
}

const OPTIONS: OptionNames<ReportOptions> = { name: true, tokens: true }
const TOKENS = 2_000
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
  const { name, tokens = TOKENS } = options
  checkAgentName(name)
  checkMessages(messages)
  const last = messages.at(-1)
  const isAnswer = last?.role === 'assistant' && callsOf(last).length === 0
  const words = isAnswer ? textOf(last).trim() : ''
  const said =
    words === '' ? `The sub-agent ${name} ended without an answer.` : shortened(words, tokens, name, messages)
  return `${said}\n\n[${[`sub-agent ${name}`, ...changed(messages), transcript(name, messages)].join('; ')}]`
}

/** A name is part of a text and of handles, so it must not be able to end a line or to read as words. */
export function checkAgentName(name: string): void {
  if (typeof name === 'string' && NAME.test(name)) return
  const allowed = 'it may have 4 to 80 letters, digits, and the signs _ . : -'
  throw new PithError('bad-argument', `${JSON.stringify(name)} is not a name of a sub-agent: ${allowed}`)
}

const NAME = /^\w[\w.:-]{3,79}$/

function transcript(name: string, { length }: readonly Message[]): string {
  return length === 0 ? 'it has no messages' : `transcript ${name}#1${length === 1 ? '' : `-#${length}`}`
}

function shortened(words: string, tokens: number, name: string, { length }: readonly Message[]): string {
  const size = estimate(words)
  if (size <= tokens) return words
  const room = Math.floor((words.length * tokens) / size)
  const head = Math.ceil(room / 2)
  return excerpt(words, { head, tail: room - head }, `${name}#${length}`)
}

/** The files that the log shows as changed. The parent's record cannot know them, because the calls are not in its log. */
function changed(messages: readonly Message[]): string[] {
  const items = messages.map((message, i) => {
    const entry: EntryOf<'message'> = { type: 'message', id: `e${i + 1}`, seq: i + 1, at: 0, message }
    return plainItem(entry)
  })
  const { files = [] } = indexDelta(items)
  const paths = [...new Set(files.flatMap(({ path, access }) => (access === 'modified' ? [path] : [])))].toSorted()
  if (paths.length === 0) return []
  const listed = paths.slice(0, LISTED_FILES).map((path) => oneLine(path, 200))
  return [
    `changed ${listed.join(', ')}${paths.length > LISTED_FILES ? ` and ${paths.length - LISTED_FILES} more` : ''}`,
  ]
}
