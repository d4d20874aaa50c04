import { type Context, statusIn } from '../engine/context/context.ts'
import { requestedCompaction } from '../engine/context/view/activity.ts'
import { END_OF_WORK_TEXTS, endOfWork } from '../engine/plan/ends-of-work.ts'
import { stayingItems } from '../engine/plan/leave-out.ts'
import { leaveOutChoices } from '../engine/plan/leave-out-choices.ts'
import { leaveOutTargets } from '../engine/plan/leave-out-targets.ts'
import { leftOutName, someOf } from '../engine/report/change-text.ts'
import { leaveOutText } from '../engine/report/leave-out-text.ts'
import { count, counted } from '../engine/report/numbers.ts'
import { nextCompaction } from '../engine/report/skip.ts'
import { fullText } from '../engine/report/status-text.ts'
import type { Items } from '../model/items.ts'
import type { Policy } from '../model/policy/policy.ts'
import { handle } from '../model/text.ts'
import { type Entry, type EntryOf, resultsOf } from '../model/types.ts'
import { readHandles } from '../search/handles.ts'
import type { Store } from '../store/store.ts'
import { activeLeaveOuts, type LeaveOutSession, leaveOut, putBackLeftOut } from './leave-out.ts'
import type { LiveSession } from './live-session.ts'

/** A request of a model about its own context. */
export type ModelRequest =
  | { readonly action: 'show' }
  | { readonly action: 'drop' | 'restore'; readonly part: string }
  | { readonly action: 'compact'; readonly focus?: string | undefined }

/** The answer for the model. `entry`: the change of the log, if there is one. */
export type RequestAnswer = { readonly ok: boolean; readonly text: string; readonly entry?: Entry }

export type RequestOptions = {
  /** True for the names of the tools that lead here. */
  readonly isOwnTool: (toolName: string) => boolean
  readonly cacheCold?: boolean
}

/** True for a policy under which a model may change its context: one of Pith's own, in mode `auto`. The presets fit no target. */
export function allowsModelRequests({ mode, fitTarget }: Policy): boolean {
  return mode === 'auto' && fitTarget
}

/** Answers a request of the model. Each change is one more entry, which the user can undo. */
export async function answerModelRequest(
  store: Store,
  session: LeaveOutSession,
  request: ModelRequest,
  { isOwnTool, cacheCold }: RequestOptions,
): Promise<RequestAnswer> {
  const context = session.context()
  if (!allowsModelRequests(context.policy)) return refused(NOT_ALLOWED)
  if (usesInARow(context.view.items, isOwnTool) >= MOST_IN_A_ROW) return refused(TOO_OFTEN)
  switch (request.action) {
    case 'show':
      return { ok: true, text: requestableText(context, session) }
    case 'drop': {
      const done = await leaveOut(store, session, request.part, { requestedBy: 'model', when: 'paid', cacheCold })
      if (!done.ok) return refused(done.reason)
      return { ok: true, text: leaveOutText(done.plan), entry: done.entry }
    }
    case 'restore': {
      const seq = readHandles(request.part)[0]?.from ?? 0
      const done = await putBackLeftOut(store, session, seq, { requestedBy: 'model' })
      if (!done.ok) return refused(done.reason)
      return { ok: true, text: `${done.what} is in the context again.`, entry: done.entry }
    }
    case 'compact':
      return noteCompaction(store, session, request.focus)
  }
}

function refused(reason: string): RequestAnswer {
  return { ok: false, text: `${reason}.` }
}

const NOT_ALLOWED = 'The policy of this session leaves its context to the user'

/** How many uses without other work between them are answered. */
const MOST_IN_A_ROW = 5
const TOO_OFTEN = `The context was looked at or changed ${MOST_IN_A_ROW} times in a row: continue with the task first`

/** The results of these tools at the end of the turn, after which nothing else was done. */
function usesInARow(items: Items, isOwnTool: (toolName: string) => boolean): number {
  const results = items.slice(Math.max(0, items.lastUser())).flatMap(({ message }) => resultsOf(message))
  const other = results.findLastIndex(({ toolName }) => !isOwnTool(toolName))
  return results.length - 1 - other
}

/** Notes a compaction for the next end of work. It must leave the context clearly smaller than it is. */
async function noteCompaction(
  store: Store,
  session: LeaveOutSession,
  focus: string | undefined,
): Promise<RequestAnswer> {
  const context = session.context()
  const { budget } = context
  const { tokens } = statusIn(context, session.pending)
  if (budget.trigger === undefined || budget.target === undefined)
    return refused('Not noted: the window of the model is not known')
  const least = budget.target + budget.growth
  if (tokens < least)
    return refused(
      `Not noted: the context has ${count(tokens)} tokens, and a compaction saves something from ${count(least)} on`,
    )
  const appended = await store.append(session.live.id, [{ type: 'settings', compact: { focus } }])
  const entry = appended.ok ? appended.entries[0] : undefined
  const text = `Noted: the context is compacted at the next end of work, at the latest at ${count(budget.trigger)} tokens. Continue with the task.`
  return { ok: true, text, entry }
}

/** The compaction that the model asked for, if a piece of work has just ended. */
export function dueRequest({
  log,
  view,
  policy,
}: Pick<Context, 'log' | 'view' | 'policy'>): CompactRequest | undefined {
  const asked = requestedCompaction(log.slice())?.compact
  if (asked === undefined || !allowsModelRequests(policy)) return undefined
  const end = endOfWork(view.items)
  return end && { focus: asked.focus, why: END_OF_WORK_TEXTS[end] }
}

/** A compaction that the model asked for, and the end of work at which it is made. */
type CompactRequest = { readonly focus?: string | undefined; readonly why: string }

/** Ends a request whose compaction was tried in vain. Otherwise it would be tried again at every end of work. */
export async function endRequest(live: Pick<LiveSession, 'log' | 'append'>, reason: string): Promise<readonly Entry[]> {
  if (requestedCompaction(live.log) === undefined) return []
  return live.append([{ type: 'attempt', outcome: 'skipped', reason }])
}

const LARGEST = 8

/** How full the context is, and which parts a model may drop or restore. */
function requestableText(context: Context, { pending }: LeaveOutSession): string {
  const status = statusIn(context, pending)
  const { tokens } = status
  const { policy, budget, log } = context
  const next = nextCompaction({ mode: policy.mode, budget, tokens, readTokens: tokens, whySkipped: () => undefined })
  const asked = requestedCompaction(log.slice())
  return [
    `${fullText(status)}. ${next}.`,
    ...(asked === undefined ? [] : [`A compaction at the next end of work is noted (${handle(asked.seq)}).`]),
    ...droppableLines(context),
  ].join('\n')
}

/** The parts that a model may drop, with their sizes, and those that are left out. */
export function droppableLines(context: Context): string[] {
  const choices = leaveOutChoices(context, { requestedBy: 'model' }, LARGEST)
  return [
    ...(choices.length === 0
      ? ['No part is large enough to drop, or all of them belong to the current turn.']
      : ['The largest parts that you can drop, in tokens:']),
    ...choices.map(({ select, name, tokens }) => `- ${select}: ${count(tokens)}, ${name}`),
    ...supersededLines(context),
    ...activeLeaveOuts(context).map(leftOutLine),
  ]
}

function supersededLines(context: Context): string[] {
  const stays = stayingItems(context, { requestedBy: 'model' })
  const { targets } = leaveOutTargets(context, { kind: 'superseded' }, stays)
  if (targets.length === 0) return []
  const tokens = targets.reduce((sum, target) => sum + target.tokens, 0)
  const handles = someOf(targets.map(({ from }) => handle(from)))
  return [
    `- superseded: ${count(tokens)}, ${counted(targets.length, 'result')} of calls that were repeated later (${handles})`,
  ]
}

function leftOutLine(entry: EntryOf<'leave-out'>): string {
  const { requestedBy, targets, seq, waits } = entry
  const when = waits === true ? 'to be left out later' : 'left out'
  const back = requestedBy === 'model' ? `, restore ${handle(targets[0]?.from ?? seq)}` : ''
  return `${leftOutName(entry)} ${when} by the ${requestedBy}${back}`
}
