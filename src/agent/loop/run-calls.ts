import { isCacheCold } from '../../engine/context/open-context.ts'
import { changesView } from '../../engine/context/view/activity.ts'
import { count } from '../../engine/report/numbers.ts'
import { messageOf } from '../../model/problems/errors.ts'
import { nearest } from '../../model/problems/problem-text.ts'
import {
  type AssistantMessage,
  callsOf,
  type EntryDraft,
  type ToolCallPart,
  type ToolResultOutput,
  type View,
} from '../../model/types.ts'
import { MOST_HITS } from '../../search/hits.ts'
import { answerModelRequest, type ModelRequest, type RequestAnswer } from '../../session/model-requests.ts'
import { recallWithTasks, searchWithTasks } from '../../session/tasks.ts'
import { type Agent, NOTHING_KEPT, type Permit } from '../agent.ts'
import { notRun } from '../interruption.ts'
import { rawWithoutKeys, withoutKeys } from '../scrubbed-env.ts'
import { shownCharacters, shownPart } from '../shown-part.ts'
import type { PermissionRequest, Tool, ToolContext, ToolImage, ToolOutput } from '../tool.ts'
import { todo } from '../tools/todo/todo.ts'
import { proposePlan } from './plan-mode.ts'

/** Runs the calls of an answer in order. Calls that may run in parallel do so. The result of every call is stored. */
export async function runCalls(
  agent: Agent,
  calls: readonly ToolCallPart[],
  signal: AbortSignal,
  cut?: CutCall,
): Promise<void> {
  for (const group of groupsOf(agent, calls)) {
    await Promise.all(
      group.map(async (call) => {
        const output = signal.aborted
          ? notBegun(signal)
          : call === cut?.call
            ? wasCut(cut)
            : await runCall(agent, call, signal)
        await storeResult(agent, call, output)
      }),
    )
  }
}

function notBegun(signal: AbortSignal): ToolOutput {
  return { text: notRun(signal), isError: true }
}

/** Groups consecutive calls that only read and may run in parallel. A call that changes something runs alone. */
function groupsOf({ tools }: Agent, calls: readonly ToolCallPart[]): ToolCallPart[][] {
  const groups: ToolCallPart[][] = []
  let open = false
  for (const call of calls) {
    const parallel = toolOf(tools, call.toolName)?.parallel === true
    if (parallel && open) groups.at(-1)?.push(call)
    else groups.push([call])
    open = parallel
  }
  return groups
}

/** Runs a call as far as the user permits it. */
export async function runCall(agent: Agent, call: ToolCallPart, signal: AbortSignal): Promise<ToolOutput> {
  const { toolCallId, toolName, input } = call
  const tool = toolOf(agent.tools, toolName)
  if (tool === undefined) return { text: unknownTool(agent, toolName), isError: true }
  const context = contextOf(agent, toolCallId, signal)
  const run = async () => {
    const request = await tool.permission(input, context)
    agent.emit({ type: 'tool-started', toolCallId, toolName, input, request })
    if (tool === todo && agent.isPlanning) return await proposePlan(agent, await tool.run(input, context), signal)
    if (request === undefined) return await tool.run(input, context)
    const permit = await agent.deps.permit(request, toolCallId, signal)
    if (signal.aborted) return notBegun(signal)
    if (!permit.ok) return refused(permit)
    const allowed = permit.request ?? request
    return await runKept(agent, allowed, toolCallId, signal, () => tool.run(input, { ...context, allowed }))
  }
  const { alone } = agent.deps
  try {
    if (alone === undefined || tool.parallel) return await run()
    return (await alone(run, signal)) ?? notBegun(signal)
  } catch (error) {
    // If a tool fails, the model gets the error as an answer. The session continues.
    return { text: `${toolName} failed: ${messageOf(error)}`, isError: true }
  }
}

function refused({ reason, said }: Extract<Permit, { ok: false }>): ToolOutput {
  const words = said === undefined ? {} : { userWords: [{ text: said.trim(), reply: 'rejection' as const }] }
  return { text: reason, isError: true, isDenied: true, ...words }
}

/** Stores the files of a call, runs it, and adds the files that it changed to its result. */
async function runKept(
  { deps, live }: Agent,
  request: PermissionRequest,
  toolCallId: string,
  signal: AbortSignal,
  run: () => Promise<ToolOutput>,
): Promise<ToolOutput> {
  const kept = (await deps.keeper?.before(request, toolCallId, signal)) ?? NOTHING_KEPT
  if (kept.draft !== undefined) await live.append([kept.draft])
  let output: ToolOutput | undefined
  try {
    output = await run()
  } finally {
    // A call may have changed files before it failed.
    const { draft, files } = await kept.after(output?.files)
    if (draft !== undefined) await live.append([draft])
    if (output !== undefined && files.length > 0) output = { ...output, files: [...(output.files ?? []), ...files] }
  }
  return output
}

async function storeResult(agent: Agent, { toolCallId, toolName }: ToolCallPart, output: ToolOutput): Promise<void> {
  const { isError = false, isDenied = false, files, todos, images = [] } = output
  // Without stored words, the reason of a denied call would count as the user's.
  const userWords = output.userWords ?? (isDenied ? [] : undefined)
  const text = withoutKeys(output.text, agent.deps.keys ?? [])
  const raw = rawWithoutKeys(output.raw, agent.deps.keys ?? [])
  const shown = shownPart(text, agent.info.contextWindow, raw)
  const drafts: EntryDraft[] = [
    {
      type: 'message',
      message: {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId,
            toolName,
            output: isDenied
              ? { type: 'execution-denied', reason: text }
              : resultOutput(text === '' && images.length === 0 ? '(no output)' : text, isError, images),
          },
        ],
      },
      shown,
      ...(raw === undefined ? {} : { raw }),
      ...(files === undefined || files.length === 0 ? {} : { files: [...files] }),
      ...(userWords === undefined ? {} : { userWords: [...userWords] }),
    },
    ...(todos === undefined ? [] : [{ type: 'todo' as const, items: [...todos] }]),
  ]
  const entries = await agent.append(drafts)
  agent.emit({ type: 'tool-finished', toolCallId, toolName, seq: entries[0]?.seq ?? 0, text, isError })
}

function resultOutput(text: string, isError: boolean, images: readonly ToolImage[]): ToolResultOutput {
  if (images.length === 0) return { type: isError ? 'error-text' : 'text', value: text }
  const texts = text === '' ? [] : [{ type: 'text' as const, text }]
  return { type: 'content', value: [...texts, ...images.map((image) => ({ type: 'image-data' as const, ...image }))] }
}

function contextOf(agent: Agent, toolCallId: string, signal: AbortSignal): ToolContext {
  const { deps, live, info } = agent
  const { runTask } = deps
  return {
    request: (request) => answerRequest(agent, request),
    workspace: deps.workspace,
    signal,
    env: deps.env,
    sandbox: deps.sandbox,
    never: deps.never,
    ...(deps.jobs === undefined ? {} : { jobs: { table: deps.jobs, owner: live.session } }),
    seen: (path) => seenHash(live.view, path),
    recall: {
      entries: (handles, options) => recallWithTasks(live.store, live.id, handles, options),
      search: (text) => searchWithTasks(live.store, live.id, text, { limit: MOST_HITS }),
    },
    startTask: runTask && ((wish) => runTask(agent, { ...wish, toolCallId }, signal)),
    shownCharacters: shownCharacters(info.contextWindow),
    mayRead: deps.mayRead,
    permit: (request) => deps.permit(request, toolCallId, signal),
    onOutput: (text) => deps.onEvent({ type: 'tool-output', toolCallId, text: withoutKeys(text, deps.keys ?? []) }),
  }
}

/** Answers a request of the model about its context. The user sees the change as an entry. */
async function answerRequest(agent: Agent, request: ModelRequest): Promise<RequestAnswer> {
  const { live, deps, model } = agent
  const isOwnTool = (name: string) => toolOf(agent.tools, name)?.changesContext === true
  const cacheCold = isCacheCold(live.log, deps.clock(), model.cacheLifetimeMs)
  const answer = await answerModelRequest(live.store, agent, request, { isOwnTool, cacheCold })
  const { entry } = answer
  if (entry === undefined) return answer
  await live.refresh()
  // The provider has another prefix than the next request.
  if (changesView(entry)) agent.lastCall = undefined
  agent.emit({ type: 'entry', entry })
  return answer
}

function toolOf(tools: readonly Tool[], toolName: string): Tool | undefined {
  return tools.find(({ name }) => name === toolName)
}

function unknownTool({ tools }: Agent, name: string): string {
  const names = tools.map((tool) => tool.name)
  const meant = nearest(name, names)
  return `There is no tool \`${name.slice(0, 100)}\`${meant === undefined ? '.' : `, did you mean \`${meant}\`?`} The tools are ${names.join(', ')}`
}

/** The hash of a file at the agent's last read or write, which may be in a compacted entry. */
function seenHash({ items }: View, path: string): string | undefined {
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items.at(i)
    const files = (item?.kind === 'summary' ? item.index.files : item?.files) ?? []
    const seen = files.findLast((file) => file.path === path && file.hash !== undefined)
    if (seen !== undefined) return seen.hash
  }
  return undefined
}

/** A call that was cut by the output limit, and the size of its answer if the provider reported it. */
type CutCall = { readonly call: ToolCallPart; readonly outputTokens?: number }

/** The call in which an answer was cut: its last part, if the arguments are incomplete. */
export function cutCall(message: AssistantMessage): ToolCallPart | undefined {
  const last = typeof message.content === 'string' ? undefined : message.content.at(-1)
  if (last?.type !== 'tool-call') return undefined
  const call = callsOf(message).at(-1)
  return call !== undefined && isIncomplete(call.input) ? call : undefined
}

/** Arguments that were cut are not JSON; those that had not begun are empty. */
function isIncomplete(input: unknown): boolean {
  return typeof input !== 'object' || input === null || Object.keys(input).length === 0
}

/** The result of a call that was cut: what happened, and what the model can do. */
function wasCut({ call, outputTokens }: CutCall): ToolOutput {
  const text = `Your answer was cut at the output limit${sizeText(outputTokens)} before the arguments of ${call.toolName} were whole. Nothing was run. Write less in one call: write a long file in several parts (write the first, then add the next ones with edit), and make large changes by several small edits.`
  return { text, isError: true }
}

/** After this many answers in a row that were cut inside a call, the turn ends: they cost as much as complete ones and do nothing. */
export const MOST_CUT_CALLS = 3

/** The message at the end of a turn whose answers were repeatedly cut inside a call. */
export function cutAgain(call: ToolCallPart | undefined, outputTokens: number | undefined): string {
  const where = call === undefined ? 'a call' : `a call of ${call.toolName}`
  return `Stopped: ${MOST_CUT_CALLS} answers in a row were cut at the output limit${sizeText(outputTokens)}, inside ${where}. Ask for smaller steps, or choose a model with longer answers`
}

function sizeText(tokens: number | undefined): string {
  return tokens === undefined ? '' : ` (${count(tokens)} tokens)`
}
