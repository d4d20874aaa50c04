import { text } from 'node:stream/consumers'
import type { Agent, AgentEvent, TurnEnd } from '../../../agent/agent.ts'
import { dropPrepared } from '../../../agent/compaction/compact-now.ts'
import { switchModel } from '../../../agent/compaction/switch-model.ts'
import { abortText } from '../../../agent/interruption.ts'
import { messageFor } from '../../../agent/loop/own-command.ts'
import { runTurn } from '../../../agent/loop/run-turn.ts'
import { configuredMcp } from '../../../agent/mcp/configured-mcp.ts'
import type { McpServers } from '../../../agent/mcp/mcp-servers.ts'
import { openAgent } from '../../../agent/open/open-agent.ts'
import { unkeptText } from '../../../agent/sandbox/unkept-text.ts'
import type { FlagKey } from '../../../config/index.ts'
import { projectMcp } from '../../../config/places/project-mcp.ts'
import { counted } from '../../../engine/report/numbers.ts'
import type { ChatModel } from '../../../llm/call/chat-model.ts'
import { type OpenModelDeps, openModel } from '../../../llm/open-model.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { attachedFile, printable } from '../../../model/text.ts'
import type { UserMessage } from '../../../model/types.ts'
import { SpentMeter } from '../../../session/account/spent-meter.ts'
import { LiveSession } from '../../../session/live-session.ts'
import { sessionSettings } from '../../../session/open-session.ts'
import { forkInto, type OtherFolder, otherFolder } from '../../../session/session-folder.ts'
import { answeringModel } from '../../../session/session-state.ts'
import { isGreeting, titleFrom } from '../../../session/session-title.ts'
import { LOCAL_OWNER, type Session, type Store, unknownSession } from '../../../store/store.ts'
import { startingPage } from '../../memory/starting-page.ts'
import { note, printJson } from '../../output/show.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { interruptible } from '../../process/interruptible.ts'
import { packageVersion } from '../../process/package.ts'
import { loadSetup, openNamedModel, type Setup, withStore } from '../../setup/setup.ts'
import { pipedInput } from './piped-input.ts'
import { type RunResult, runResult, textPrinter, withRefusals } from './print-turn.ts'
import type { RunFlags } from './run.ts'
import { RunBudget, type RunLimits, refuseStrayRule, runLimits } from './run-budget.ts'

/** Runs one turn, prints it and returns the exit code. `args` is the command line that the rest was read from. */
export async function runPrompt(
  words: readonly string[],
  options: RunFlags,
  flags: Partial<Record<FlagKey, string>>,
  args: readonly string[],
): Promise<number> {
  try {
    const limits = runLimits(options)
    refuseStrayRule(args, words, options)
    const prompt = await promptOf(words, options)
    const setup = loadSetup(flags)
    return await withStore(setup, async (store) => {
      const { session, isNew } = await sessionFor(setup, store, options, prompt)
      const print = options.json === true ? jsonPrinter(session) : textPrinter()
      const result = await interruptible((signal) =>
        turn({ setup, store, session, prompt, flags, limits, print, signal }),
      ).catch(async (error: unknown) => {
        // The reason why it could not begin matters more than a session that could not be deleted.
        if (isNew) await deleteIfEmpty(store, session.id).catch(() => undefined)
        throw error
      })
      if (options.json === true) printJson({ type: 'result', session: session.id, ...result }, 'line')
      return result.exitCode
    })
  } catch (error) {
    if (!(error instanceof PithError) || !WRONG_COMMAND_LINE.has(error.code)) throw error
    note(`pith: ${error.message.split('\n', 1)[0]}`)
    return EXIT.usage
  }
}

const WRONG_COMMAND_LINE: ReadonlySet<PithError['code']> = new Set(['bad-argument', 'unknown-session'])

/** The user's words, and the text from standard input beside them. */
type Prompt = { readonly text: string; readonly input: string }

type TurnInput = {
  readonly setup: Setup
  readonly store: Store
  readonly session: Session
  readonly prompt: Prompt | undefined
  readonly flags: Partial<Record<FlagKey, string>>
  readonly limits: RunLimits
  readonly print: (event: AgentEvent) => void
  readonly signal: AbortSignal
}

async function turn({ setup, store, session, prompt, flags, limits, print, signal }: TurnInput): Promise<RunResult> {
  const { config, models, folders } = setup
  const { log } = await LiveSession.open(store, session.id)
  const before = sessionSettings(log).model ?? formerModel(await answeringModel(store, session.id), models)?.name
  // The command line comes before the model that the session was last used with.
  const { model, missing } = await openNamedModel(flags.model ?? before ?? config.settings.model, models)
  if (missing !== undefined) throw new PithError('no-model', missing)
  if (limits.maxCost !== undefined && model.info.prices === undefined)
    throw new PithError(
      'bad-argument',
      `--max-cost needs the price of ${model.name}: set it under models in config.yaml`,
    )
  const meter = new SpentMeter(models.registry)
  await meter.read(store, session.id)
  const budget = new RunBudget(limits, meter)
  const stop = AbortSignal.any([signal, budget.signal])
  const onEvent = (event: AgentEvent) => {
    const isEnd = event.type === 'turn-ended'
    print(isEnd ? { ...event, end: withRefusals(limitNamed(event.end, limits), gate.refused) } : event)
    budget.take(event)
  }
  const title = session.title === undefined ? titleIn(prompt?.text) : undefined
  if (title !== undefined) await store.renameSession(session.id, title)
  const { stepLimit } = config.settings
  const { agent, gate } = await openAgent({
    store,
    session: session.id,
    model: formerModel(before, models) ?? model,
    models,
    settings: { ...config.settings, stepLimit: limits.maxSteps ?? stepLimit },
    workspace: config.workspace,
    startedIn: config.startedIn,
    folders,
    rules: limits.rules,
    onEvent,
    memory: () => startingPage(setup),
  })
  const unkept = unkeptText(agent.deps.sandbox, gate.never())
  if (unkept !== undefined) print({ type: 'notice', text: unkept })
  const untrusted = agent.deps.prompts?.files().notice
  if (untrusted !== undefined) print({ type: 'notice', text: untrusted })
  const mcp = await runMcp(agent, setup, print, stop)
  try {
    const end = await turnWith(agent, model, { before, prompt, signal: stop })
    // A turn that the limit ended has said so itself.
    if (budget.exceeded !== undefined && end.reason !== 'aborted')
      print({ type: 'notice', text: `Stopped: ${budget.exceeded}` })
    return runResult(end, { refused: gate.refused, exceeded: budget.exceeded ?? stepsExceeded(end, limits) })
  } finally {
    budget.close()
    await mcp?.close()
    await agent.deps.jobs?.close()
  }
}

/** A run that could not begin, for example without a model, leaves no new session. */
async function deleteIfEmpty(store: Store, id: string): Promise<void> {
  const now = await store.session(id)
  if (now?.lastSeq === 0) await store.deleteSession(id)
}

/** The end of a turn in the words of the run: the agent knows one limit of steps and advises to raise the setting. */
function limitNamed(end: TurnEnd, limits: RunLimits): TurnEnd {
  const why = stepsExceeded(end, limits)
  return why === undefined ? end : { ...end, text: `Stopped: ${why}` }
}

function stepsExceeded({ reason }: TurnEnd, { maxSteps }: RunLimits): string | undefined {
  if (reason !== 'step-limit' || maxSteps === undefined) return undefined
  return `the run took ${counted(maxSteps, 'step')}, as many as it may (--max-steps)`
}

type PreparedTurn = Pick<TurnInput, 'prompt' | 'signal'> & { readonly before: string | undefined }

async function turnWith(agent: Agent, model: ChatModel, { before, prompt, signal }: PreparedTurn): Promise<TurnEnd> {
  if (before !== model.name) {
    const switched = await switchModel(agent, model, signal)
    if (signal.aborted) {
      const end: TurnEnd = { reason: 'aborted', text: abortText(signal), answer: '', steps: 0 }
      agent.emit({ type: 'turn-ended', end })
      return end
    }
    if (!switched.ok) throw new PithError('context-limit', switched.reason)
  }
  try {
    const said = prompt === undefined ? undefined : await messageFor(agent, prompt.text, signal)
    for (const text of said?.notes ?? []) agent.emit({ type: 'notice', text })
    const message = said && withInput(said.message, prompt?.input)
    return await runTurn(agent, message, signal, said?.files)
  } finally {
    await dropPrepared(agent, 'the run has ended')
  }
}

/** The model that the session was last used with, if it is still usable. It compacts the session for the next model. */
function formerModel(name: string | undefined, models: OpenModelDeps): ChatModel | undefined {
  const opened = name === undefined ? undefined : openModel(name, models)
  return opened === undefined || 'unusable' in opened ? undefined : opened
}

async function promptOf(given: readonly string[], options: RunFlags): Promise<Prompt | undefined> {
  const goesOn = options.continue === true || options.session !== undefined
  const words = given.join(' ')
  if (given.length > 1 && given.at(-1) === '-') return withAllInput(given.slice(0, -1).join(' '))
  const fromInput = words === '-' || (words === '' && !goesOn)
  if (fromInput && process.stdin.isTTY === true) {
    throw new PithError('bad-argument', 'nothing to do: write a prompt, as in pith run "add a test for parse()"')
  }
  const said = (fromInput ? await text(process.stdin) : words).trim()
  if (said !== '') return { text: said, input: fromInput ? '' : await pipedInput() }
  if (goesOn) return undefined
  throw new PithError('bad-argument', 'the prompt is empty')
}

/** The prompt with standard input, however long that takes: `slow-program | pith run "review this" -`. */
async function withAllInput(prompt: string): Promise<Prompt> {
  const input = process.stdin.isTTY === true ? '' : await text(process.stdin)
  if (input.trim() === '') throw new PithError('bad-argument', 'nothing comes from standard input to attach')
  return { text: prompt.trim(), input }
}

/** The message with standard input as an attachment: its text is not the user's words, and names no files to attach. */
function withInput(message: UserMessage, input = ''): UserMessage {
  if (input.trim() === '') return message
  const { content } = message
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const attached = attachedFile('standard input', input.trimEnd())
  return { ...message, content: [...parts, { type: 'text', text: attached }] }
}

/** The title that a prompt gives to a session without one. A greeting gives none. */
function titleIn(prompt: string | undefined): string | undefined {
  return prompt === undefined || isGreeting(prompt) ? undefined : titleFrom(prompt)
}

/** The session of the run, and whether the run created it. */
async function sessionFor(
  { config }: Setup,
  store: Store,
  options: RunFlags,
  prompt: Prompt | undefined,
): Promise<{ readonly session: Session; readonly isNew: boolean }> {
  if (options.session !== undefined) {
    const { requireStoredId } = await import('../../sessions/session-source.ts')
    const id = await requireStoredId(store, options.session)
    const session = await store.session(id)
    if (session === undefined) throw unknownSession(id)
    const other = otherFolder(session, config)
    if (options.fork === true) return { session: await forkInto(store, session, config), isNew: false }
    if (other === undefined) return { session, isNew: false }
    throw new PithError('bad-argument', elsewhereText(other))
  }
  if (options.fork === true) throw new PithError('bad-argument', '--fork needs --session ID')
  if (options.continue === true) {
    const { sessions } = await store.sessions({ workspace: config.workspace, limit: 1 })
    const [last] = sessions
    if (last === undefined)
      throw new PithError('unknown-session', `there is no session in ${config.workspace} to continue`)
    return { session: last, isNew: false }
  }
  const session = await store.createSession({
    owner: LOCAL_OWNER,
    workspace: config.workspace,
    title: titleIn(prompt?.text),
  })
  return { session, isNew: true }
}

function elsewhereText({ folder, exists }: OtherFolder): string {
  const fork = 'add --fork to continue in a fork that works here'
  return exists
    ? `this session works in ${printable(folder)}: run this there, or ${fork}`
    : `this session worked in ${printable(folder)}, which does not exist here: ${fork}`
}

/** Prints a line that names the session, then every event as one line of JSON. */
function jsonPrinter({ id, workspace }: Pick<Session, 'id' | 'workspace'>): (event: AgentEvent) => void {
  printJson({ type: 'session', session: id, workspace }, 'line')
  return (event) => printJson(event.type === 'compaction-ended' ? withoutView(event) : event, 'line')
}

/** Without the view, the messages and the entries: they are in the session. */
function withoutView({ result, ...event }: Extract<AgentEvent, { type: 'compaction-ended' }>): unknown {
  const { view: _, messages: __, entries: ___, ...rest } = result
  return { ...event, result: rest }
}

/** Starts the MCP servers of a run and gives the agent their tools. Nobody can be asked, so a project's own must be trusted. */
async function runMcp(
  agent: Agent,
  { config }: Setup,
  emit: (event: AgentEvent) => void,
  signal: AbortSignal,
): Promise<McpServers | undefined> {
  const project = projectMcp(config.workspace, process.env)
  const { workspace, env } = agent.deps
  const notice = (text: string) => emit({ type: 'notice', text })
  if (project?.why !== undefined) notice(project.why)
  else if (project !== undefined && project.answer === undefined)
    notice(`${project.file} names MCP servers, which are not started: start pith here once to answer for them`)
  const servers = await configuredMcp({
    settings: config.settings,
    project,
    place: { workspace, env, version: packageVersion() },
  })
  await servers?.ready(signal)
  for (const { name, state } of servers?.reports ?? [])
    if (state.kind === 'failed') notice(`MCP server ${name}: ${state.why}`)
  agent.setTools([...agent.deps.tools, ...(servers?.tools ?? [])])
  return servers
}
