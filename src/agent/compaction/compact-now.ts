import { spawn } from 'node:child_process'
import { enterablePath } from '../../config/places/program-path.ts'
import type { Hook } from '../../config/tables/settings.ts'
import { type CompactInput, untouched } from '../../engine/compact/compact.ts'
import { focusOf } from '../../engine/compact/compaction-draft.ts'
import { type PreviewResult, previewOf } from '../../engine/compact/preview.ts'
import { isCacheCold } from '../../engine/context/open-context.ts'
import { isNamedBy, leftOutText } from '../../engine/report/outcome.ts'
import { warmModelOf } from '../../llm/summary-models-for.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'
import { oneLine } from '../../model/text.ts'
import type { Reason, SummaryModel } from '../../model/types.ts'
import type { CompactSessionInput, SessionCompactResult } from '../../session/compaction/compact-session.ts'
import { dropPreparation, type PutCompaction, putPrepared } from '../../session/compaction/prepared-compaction.ts'
import { settingsIn } from '../../session/open-session.ts'
import type { Agent, AgentEvent, CompactionAnswer, CompactNowResult } from '../agent.ts'
import { untilAborted } from '../interruption.ts'
import { MARK, newMark, OwnedProcess } from '../processes/owned-process.ts'
import { modelCallOf } from '../request/model-call.ts'

/** A request to compact an agent's session, with settings for this one compaction. */
export type CompactionRequest = Pick<CompactInput, 'focus' | 'typedFocus' | 'signal' | 'onEvent' | 'sparesWords'> & {
  readonly reason: Reason
  /** The policy for this compaction, instead of the session's. */
  readonly policy?: PolicyPatch
  /** The only models that may write the summary of this compaction. */
  readonly summaryModels?: readonly SummaryModel[]
}

/** A compaction to do now. Its events go to `onAgentEvent` or, if that is absent, to the listener of the agent. */
export type CompactNow = Omit<CompactionRequest, 'onEvent' | 'signal' | 'typedFocus'> &
  Partial<Pick<CompactSessionInput, 'holder' | 'leaseMs' | 'key'>> & {
    readonly signal: AbortSignal
    readonly onAgentEvent?: (event: AgentEvent) => void
  }

/** Compacts the session now. Runs the user's hooks before and after, emits every step, and refreshes the live session. */
export async function compactNow(agent: Agent, now: CompactNow): Promise<CompactNowResult> {
  const { onAgentEvent: emit = (event: AgentEvent) => agent.emit(event), signal, reason } = now
  const automatic = reason !== 'manual'
  const hook = await beforeHook(agent, now)
  if (hook.kind === 'no') {
    const input = agentInput(agent, now)
    const context = untouched(agent.live.context(settingsIn(input)), input)
    const result = { ...context, outcome: 'refused', reason: hook.reason } as const
    emit({ type: 'compaction-ended', automatic, result })
    return result
  }
  // A hook that does not work must not prevent the compaction.
  if (hook.kind === 'broken' && !signal.aborted)
    emit({ type: 'notice', text: `The hook before the compaction failed: ${hook.reason}` })
  for (const text of agent.deps.fixed.newRefusals()) emit({ type: 'notice', text })
  const typedFocus = focusOf(now.focus) ?? ''
  const focus = [typedFocus, hook.kind === 'ok' ? hook.text : ''].filter(Boolean).join('\n')
  const result = await compacted(agent, { ...now, focus, typedFocus, emit })
  await agent.live.refresh()
  if (result.compacted) await forgetPrefix(agent)
  emit({ type: 'compaction-ended', automatic, result })
  if (result.compacted && result.leftOut !== undefined && !isNamedBy(result.entries, result.leftOut))
    emit({ type: 'notice', text: leftOutText(result.leftOut) })
  emit({ type: 'status', status: agent.status() })
  if (result.outcome !== 'busy') await afterHook(agent, result, { signal, emit })
  return result
}

async function compacted(
  agent: Agent,
  {
    holder = agent.deps.holder,
    leaseMs,
    key,
    emit,
    ...request
  }: Omit<CompactNow, 'onAgentEvent'> & { readonly emit: (event: AgentEvent) => void } & Pick<
      CompactionRequest,
      'typedFocus'
    >,
): Promise<SessionCompactResult> {
  const { reason, focus, policy, summaryModels, signal } = request
  const isPlain = focus === '' && policy === undefined && summaryModels === undefined && key === undefined
  const ready = isPlain && reason === 'threshold' ? await takePrepared(agent, { holder, signal, emit }) : undefined
  if (ready !== undefined) return ready
  const onEvent: CompactSessionInput['onEvent'] = (event) =>
    emit({ type: 'compaction', automatic: reason !== 'manual', event })
  return agent.live.compact({ ...agentInput(agent, { ...request, onEvent }), holder, leaseMs, key })
}

/** A preview of a compaction, with its price. */
export function plannedCompaction(agent: Agent, request: CompactionRequest): PreviewResult {
  const input = agentInput(agent, request)
  return previewOf(agent.live.context(settingsIn(input)), input)
}

/** The input for a compaction of the agent's session in memory. */
export function agentInput(
  agent: Agent,
  { policy = agent.policyPatch, summaryModels, ...request }: CompactionRequest,
): Omit<CompactInput, 'log' | 'view'> {
  const { deps, live, model, info, pending, lastCall } = agent
  const now = deps.clock()
  const settings = { policy, model: info, fixed: agent.fixed('compacted') }
  const isWarm = lastCall !== undefined && summaryModels === undefined
  return {
    ...settings,
    pending,
    summaryModels: summaryModels ?? deps.summaryModels(live.context(settings).policy, model),
    clock: deps.clock,
    cacheCold: isCacheCold(live.log, now, model.cacheLifetimeMs),
    warm: isWarm ? warmModelOf(model, { ...lastCall, call: () => modelCallOf(agent) }, now) : undefined,
    ...request,
  }
}

/** The prefix of the requests has changed, so the provider's cache has nothing of it. Changed files go to the front again. */
async function forgetPrefix(agent: Agent): Promise<void> {
  agent.lastCall = undefined
  agent.postponedUntil = undefined
  agent.deps.fixed.renew()
  await dropPrepared(agent, 'another compaction came first')
}

async function beforeHook(agent: Agent, { reason, signal, focus }: CompactNow): Promise<HookResult> {
  const { hooks, workspace: cwd, env } = agent.deps
  if (hooks?.beforeCompaction === undefined) return { kind: 'ok', text: '' }
  const about = { event: 'before_compaction', session: agent.live.id, reason, tokens: agent.status().tokens, focus }
  return runHook(hooks.beforeCompaction, about, { cwd, env, signal })
}

async function afterHook(
  agent: Agent,
  result: SessionCompactResult,
  { signal, emit }: { readonly signal: AbortSignal; readonly emit: (event: AgentEvent) => void },
): Promise<void> {
  const { hooks, workspace: cwd, env } = agent.deps
  if (hooks?.afterCompaction === undefined) return
  const { outcome, reason, tokensBefore, tokensAfter, messagesRemoved } = result
  const about = {
    event: 'after_compaction',
    session: agent.live.id,
    outcome,
    reason,
    tokensBefore,
    tokensAfter,
    messagesRemoved,
    summary: result.compacted ? result.summary : undefined,
  }
  const ran = await runHook(hooks.afterCompaction, about, { cwd, env, signal })
  if (ran.kind !== 'ok' && !signal.aborted)
    emit({ type: 'notice', text: `The hook after the compaction failed: ${ran.reason}` })
}

type HookRun = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The result of a hook: its output, its refusal by an exit code, or the reason why it did not run to its end. */
type HookResult =
  | { readonly kind: 'ok'; readonly text: string }
  | { readonly kind: 'no' | 'broken'; readonly reason: string }

const TIMEOUT_MS = 10_000
/** A hook adds a sentence or two, not a file. */
const MOST_CHARACTERS = 4_000

/** Runs a hook with the event as JSON on its standard input. A hook that hangs is stopped. */
function runHook({ command, timeoutMs = TIMEOUT_MS }: Hook, about: unknown, run: HookRun): Promise<HookResult> {
  return new Promise((resolve) => {
    const mark = newMark()
    const { PATH } = run.env
    const path = PATH === undefined ? {} : { PATH: enterablePath(PATH, run.cwd) }
    const child = spawn(command, {
      shell: true,
      cwd: run.cwd,
      env: { ...run.env, ...path, [MARK]: mark },
      detached: process.platform !== 'win32',
    })
    const owned = child.pid === undefined ? undefined : new OwnedProcess(child.pid, mark)
    let out = ''
    let err = ''
    const timer = setTimeout(
      () => end({ kind: 'broken', reason: `it took longer than ${timeoutMs} ms` }, true),
      timeoutMs,
    )
    const abort = () => end({ kind: 'broken', reason: 'it was cancelled' }, true)
    run.signal?.addEventListener('abort', abort, { once: true })
    // Only the first call counts, because a promise is settled once. It also releases the timer and the signal.
    const end = (result: HookResult, killed = false) => {
      clearTimeout(timer)
      run.signal?.removeEventListener('abort', abort)
      if (killed) void owned?.end()
      resolve(result)
    }
    child.stdout.on('data', (data: Buffer) => {
      out = (out + data.toString()).slice(0, MOST_CHARACTERS)
    })
    child.stderr.on('data', (data: Buffer) => {
      err = (err + data.toString()).slice(0, MOST_CHARACTERS)
    })
    child.on('error', (error) => end({ kind: 'broken', reason: error.message }))
    child.on('exit', () => owned?.exited())
    child.on('close', (code, signal) => end(resultOf(code, signal, out, err)))
    // A hook that does not read its input may have closed it before we write.
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify(about))
  })
}

/** The exit codes of shells for a command that they cannot find or start. */
const NOT_STARTED: readonly (number | null)[] = [126, 127]

function resultOf(code: number | null, signal: NodeJS.Signals | null, out: string, err: string): HookResult {
  if (code === 0) return { kind: 'ok', text: out.trim() }
  const reason = oneLine(err.trim() || out.trim(), 200) || `it ended with ${signal ?? `exit code ${code}`}`
  return { kind: code === null || NOT_STARTED.includes(code) ? 'broken' : 'no', reason }
}

/** Asks the user about a compaction. The answer `off` is stored for the session. Undefined if nobody can be asked. */
export async function askAboutCompaction(
  agent: Agent,
  planned: PreviewResult,
  signal: AbortSignal,
): Promise<CompactionAnswer | undefined> {
  const { askCompaction } = agent.deps
  if (askCompaction === undefined) return undefined
  const answer = await untilAborted(askCompaction(planned, signal), signal)
  if (answer === undefined) return { kind: 'later' }
  if (answer.kind === 'off') await agent.append([{ type: 'settings', policy: { mode: 'off' } }])
  return answer
}

/** Stores the prepared compaction, if there is one and the session has not changed since it was prepared. */
async function takePrepared(agent: Agent, taker: Taker): Promise<SessionCompactResult | undefined> {
  const { prepared, live } = agent
  if (prepared === undefined) return undefined
  const onTaken = () => {
    agent.prepared = undefined
  }
  const put = await putPrepared(live, prepared, { ...taker, onTaken })
  emitWaste(agent, put)
  if (put?.kind !== 'put') return undefined
  const { tokensBefore: tokens, messagesRemoved: messages } = put.result
  taker.emit({ type: 'compaction', automatic: true, event: { type: 'start', reason: 'threshold', tokens, messages } })
  return put.result
}

type Taker = { readonly holder: string; readonly signal: AbortSignal; readonly emit: (event: AgentEvent) => void }

/** Discards the compaction that is being prepared, if there is one. Its cost stays in the log. */
export async function dropPrepared(agent: Agent, why: string): Promise<void> {
  const { prepared } = agent
  if (prepared === undefined) return
  agent.prepared = undefined
  emitWaste(agent, await dropPreparation(agent.live, prepared, why))
}

function emitWaste(agent: Agent, put: PutCompaction | undefined): void {
  if (put?.kind === 'wasted') agent.emit({ type: 'notice', text: put.why })
}
