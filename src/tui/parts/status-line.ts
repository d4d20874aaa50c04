import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { costText, count, counted, percentText, short } from '../../engine/report/numbers.ts'
import { againText, chunkText, retryText, rungText } from '../../engine/report/progress-text.ts'
import type { Status } from '../../tokens/status.ts'
import type { Line, Span, Tone } from '../port/port.ts'
import { cutToColumns, firstLine } from '../port/safe-text.ts'
import { type Activity, type RetryPause, runsCommand, type State } from '../state/state.ts'
import type { Theme } from './theme.ts'

const BAR_CELLS = 10
const GAP = 2

export const HINT = ' · type /compact to free up context'

/**
 * The line under the input: model, session, permissions and cost on the left, the fullness of the context on the right.
 * Pieces that do not fit are left out whole, the least important first. A long name of a model is cut before it is left out. The
 * permission mode stays wherever it fits beside the percentage.
 */
export function statusLine(state: State, width: number): Line {
  const fits = (pieces: ReadonlySet<Piece>) => roomLeft(state, pieces, width) >= 0
  const shown = new Set<Piece>(LEAST_IMPORTANT)
  // A hint that does not fit next to what matters more is dropped first, so that it does not push out anything else (K12).
  if (!fits(new Set(LEAST_IMPORTANT.slice(LEAST_IMPORTANT.indexOf('hint'))))) shown.delete('hint')
  let most = Number.POSITIVE_INFINITY
  for (const piece of LEAST_IMPORTANT) {
    const room = roomLeft(state, shown, width)
    if (room >= 0) break
    const cut = visibleWidth(modelText(state, false)) + room
    if (piece === 'model' && cut >= LEAST_MODEL) most = cut
    else shown.delete(piece)
    if (most === cut) break
  }
  const [onLeft, onRight] = [left(state, shown, most), right(state, shown)]
  const space = Math.max(0, width - widthOf(onLeft) - widthOf(onRight))
  return [...onLeft, [' '.repeat(space)], ...onRight]
}

/** The least columns of a model's name: fewer would not be recognised. */
const LEAST_MODEL = 8

/** The columns that are left beside these pieces; less than 0 if they do not fit. */
function roomLeft(state: State, shown: ReadonlySet<Piece>, width: number): number {
  return width - GAP - widthOf(left(state, shown)) - widthOf(right(state, shown))
}

type Piece = 'jobs' | 'cost' | 'session' | 'permissions' | 'sandbox' | 'tokens' | 'hint' | 'provider' | 'model' | 'bar'

const LEAST_IMPORTANT: readonly Piece[] = [
  'provider',
  'session',
  'cost',
  'hint',
  'jobs',
  'sandbox',
  'tokens',
  'model',
  'bar',
  'permissions',
]

function left(state: State, shown: ReadonlySet<Piece>, mostOfModel = Number.POSITIVE_INFINITY): Span[] {
  const { session, permissions, cost, knownCost = 0, jobs } = state
  if (session === undefined) return [['starting…', 'muted']]
  const pieces: string[] = []
  if (shown.has('model')) pieces.push(cutToColumns(modelText(state, shown.has('provider')), mostOfModel))
  if (shown.has('session')) pieces.push(cutToColumns(session.title ?? '', TITLE_COLUMNS))
  // The mode; a word about the sandbox may follow it.
  if (shown.has('permissions')) pieces.push(shown.has('sandbox') ? permissions : (permissions.split(',', 1)[0] ?? ''))
  if (shown.has('jobs') && jobs !== undefined && jobs > 0) pieces.push(counted(jobs, 'job'))
  // A note has said that a price is not known.
  if (shown.has('cost') && (cost ?? knownCost) > 0) pieces.push(costText(cost, { known: knownCost }))
  return [[pieces.filter((piece) => piece !== '').join(' · '), 'muted']]
}

function modelText({ model, noModel, thinking }: State, withProvider: boolean): string {
  if (model === '') return noModel === undefined ? '' : 'no model'
  const name = withProvider ? model : model.slice(model.indexOf('/') + 1)
  return thinking === undefined ? name : `${name} (think ${thinking})`
}

const TITLE_COLUMNS = 24

function right({ status, suggestPercent }: State, shown: ReadonlySet<Piece>): Span[] {
  if (status === undefined) return []
  const percent: Span = [percentText(status), LEVEL_TONES[status.level]]
  if (status.percent === undefined) {
    const tokens = ` ${short(status.tokens)} tokens, window unknown`
    return [percent, ...(shown.has('tokens') ? [[tokens, 'muted'] as const] : [])]
  }
  return [
    ...(shown.has('bar') ? barOf(status) : []),
    percent,
    ...(shown.has('tokens') ? [[` ${short(status.tokens)} of ${windowOf(status)}`, 'muted'] as const] : []),
    ...(shown.has('hint') && suggestPercent > 0 && status.percent >= suggestPercent ? [[HINT, 'hint'] as const] : []),
  ]
}

function windowOf({ window = 0, assumed }: Status): string {
  return `${short(window)}${assumed === true ? ' (assumed)' : ''}`
}

const LEVEL_TONES: Readonly<Record<Status['level'], Tone>> = {
  normal: 'plain',
  warning: 'warning',
  critical: 'critical',
  unknown: 'muted',
}

/** The bar has one colour; only the percentage has that of its level (K3). */
function barOf({ percent = 0 }: Status): Span[] {
  const filled = Math.min(BAR_CELLS, Math.round((percent / 100) * BAR_CELLS))
  return [
    ['█'.repeat(filled), 'bar'],
    ['░'.repeat(BAR_CELLS - filled), 'muted'],
    [' ', 'plain'],
  ]
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, [text]) => sum + visibleWidth(text), 0)
}

const SHOWN = 5

/** The messages that wait: those for the running turn, then the queued ones, in the order in which they will be sent. */
export function queueLines({ queue, steering }: State, theme: Theme, width: number): string[] {
  const paint = (line: string) => theme.paint(truncateToWidth(line, width, '…'), 'muted')
  const steers = steering.map((text) => `  ↳ after this step: ${firstLine(text, 200)}`)
  return [...steers, ...queuedLines(queue)].map(paint)
}

function queuedLines(queue: readonly string[]): string[] {
  if (queue.length === 0) return []
  const shown = queue.slice(0, SHOWN).map((text, i) => `  ${i + 1}. ${firstLine(text, 200)}`)
  const rest = queue.length > SHOWN ? [`  … and ${queue.length - SHOWN} more`] : []
  const title = '  Queued, ↑ takes the last one back:'
  return [title, ...shown, ...rest]
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100
/** The least columns for the current step: fewer would not be readable. */
const LEAST_DETAIL = 8

/** The line that says what the agent is doing; undefined when it is idle. How to stop it is never cut off. It is only longer than the width while it waits. */
export function workingLine(state: State, now: number, width: number): Line | undefined {
  const { activity, questions } = state
  if (activity.kind === 'idle' || questions.length > 0) return undefined
  // Not from the elapsed time, which is negative if the clock was set back.
  const spinner = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? ''
  const seconds = Math.floor((now - activity.since) / 1_000)
  const time = seconds < 1 ? [] : [`${seconds}s`]
  const isReplying = activity.kind === 'replying'
  const details = isReplying ? [activity.detail ?? [], waits(activity.waiting, now)].flat() : steps(activity, now)
  const name = isReplying ? 'Working...' : activity.automatic ? '⚡ Compacting…' : 'Compacting...'
  const stops = isReplying ? 'Esc interrupts' : 'Esc cancels'
  const end = [...time, stops, ...backgroundHint(state, width)].join(' · ')
  const room = width - visibleWidth(`${spinner} ${name}  · ${end}`)
  const whole = details.join(' · ')
  const detail = whole === '' || room < LEAST_DETAIL ? [] : [cutToColumns(whole, room)]
  // The reason of a pause is not cut: it goes on below.
  const isLong = activity.waiting !== undefined && visibleWidth(whole) > room
  return [
    [`${spinner} `, 'accent'],
    [name, 'accent'],
    [` ${(isLong ? [end, whole] : [...detail, end]).join(' · ')}`, 'muted'],
  ]
}

/** The least columns at which there is room for it. */
const HINT_COLUMNS = 60

function backgroundHint(state: State, width: number): string[] {
  return width >= HINT_COLUMNS && runsCommand(state) ? ['Ctrl+B background'] : []
}

/** The reason of a pause, and the time that is left. */
function waits(waiting: RetryPause | undefined, now: number): string[] {
  if (waiting === undefined) return []
  const { until, reason, attempt } = waiting
  return [now < until ? retryText({ inMs: until - now, reason, attempt }) : againText({ reason, attempt })]
}

function steps(
  { rung, model, chunk, of, tokens, waiting }: Extract<Activity, { kind: 'compacting' }>,
  now: number,
): string[] {
  return [
    ...(rung === undefined ? [] : [rungText(rung, model)]),
    ...(chunk === undefined || of === undefined || of < 2 ? [] : [chunkText(chunk, of)]),
    ...waits(waiting, now),
    ...(tokens === undefined ? [] : [`${count(tokens)} tokens`]),
  ]
}
