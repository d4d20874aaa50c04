import { text } from 'node:stream/consumers'
import type { Agent } from '../../../agent/agent.ts'
import { dropPrepared } from '../../../agent/compaction/prepared-compaction.ts'
import { switchModel } from '../../../agent/compaction/switch-model.ts'
import type { AgentEvent, TurnEnd } from '../../../agent/events.ts'
import { runTurn, userMessage } from '../../../agent/loop/run-turn.ts'
import { openAgent } from '../../../agent/open/open-agent.ts'
import type { FlagKey } from '../../../config/index.ts'
import { printable } from '../../../engine/text/printable.ts'
import type { ChatModel } from '../../../llm/call/chat-model.ts'
import { type OpenModelDeps, openModel } from '../../../llm/open-model.ts'
import { PithError } from '../../../model/errors.ts'
import { answeringModel } from '../../../session/answering-model.ts'
import { LiveSession } from '../../../session/live-session.ts'
import { sessionSettings } from '../../../session/session-settings.ts'
import { titleFrom } from '../../../session/session-title.ts'
import type { Session, Store } from '../../../store/store.ts'
import { note } from '../../output/show.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { interruptible } from '../../process/interruptible.ts'
import { openNamedModel } from '../../setup/named-model.ts'
import { loadSetup, type Setup, withStore } from '../../setup/setup.ts'
import { jsonPrinter } from './print-events.ts'
import { textPrinter } from './print-turn.ts'
import type { RunFlags } from './run.ts'
import { runMcp } from './run-mcp.ts'

/** Runs one turn, prints it and returns the exit code. */
export async function runPrompt(
  words: string,
  options: RunFlags,
  flags: Partial<Record<FlagKey, string>>,
): Promise<number> {
  const prompt = await promptOf(words, options)
  const setup = loadSetup(flags)
  return withStore(setup, async (store) => {
    const session = await sessionFor(setup, store, options, prompt)
    const print = options.json === true ? jsonPrinter(session) : textPrinter()
    return interruptible((signal) => turn({ setup, store, session, prompt, flags, print, signal }))
  })
}

type TurnInput = {
  readonly setup: Setup
  readonly store: Store
  readonly session: Session
  readonly prompt: string | undefined
  readonly flags: Partial<Record<FlagKey, string>>
  readonly print: (event: AgentEvent) => void
  readonly signal: AbortSignal
}

async function turn({ setup, store, session, prompt, flags, print, signal }: TurnInput): Promise<number> {
  const { config, models, folders } = setup
  const { log } = await LiveSession.open(store, session.id)
  const before = sessionSettings(log).model ?? formerModel(await answeringModel(store, session.id), models)?.name
  // The command line comes before the model that the session was last used with.
  const { model, missing } = await openNamedModel(flags.model ?? before ?? config.settings.model, models)
  if (missing !== undefined) throw new PithError('no-model', missing)
  const { agent } = await openAgent({
    store,
    session: session.id,
    model: formerModel(before, models) ?? model,
    models,
    settings: config.settings,
    workspace: config.workspace,
    folders,
    onEvent: print,
  })
  const mcp = await runMcp(agent, setup, print, signal)
  try {
    return await turnWith(agent, model, { before, prompt, signal })
  } finally {
    await mcp?.close()
  }
}

type PreparedTurn = Pick<TurnInput, 'prompt' | 'signal'> & { readonly before: string | undefined }

async function turnWith(agent: Agent, model: ChatModel, { before, prompt, signal }: PreparedTurn): Promise<number> {
  if (before !== model.name) {
    const switched = await switchModel(agent, model, signal)
    if (signal.aborted) return EXIT.interrupted
    if (!switched.ok) throw new PithError('context-limit', switched.reason)
  }
  try {
    const end = await runTurn(agent, prompt === undefined ? undefined : userMessage(prompt), signal)
    return codeOf(end)
  } finally {
    await dropPrepared(agent, 'the run has ended')
  }
}

/** The model that the session was last used with, if it is still usable. It compacts the session for the next model. */
function formerModel(name: string | undefined, models: OpenModelDeps): ChatModel | undefined {
  const opened = name === undefined ? undefined : openModel(name, models)
  return opened === undefined || 'unusable' in opened ? undefined : opened
}

async function promptOf(words: string, options: RunFlags): Promise<string | undefined> {
  const goesOn = options.continue === true || options.session !== undefined
  const fromInput = words === '-' || (words === '' && !goesOn)
  if (fromInput && process.stdin.isTTY === true) {
    throw new PithError('bad-argument', 'nothing to do: write a prompt, as in pith run "add a test for parse()"')
  }
  const said = (fromInput ? await text(process.stdin) : words).trim()
  if (said !== '') return said
  if (goesOn) return undefined
  throw new PithError('bad-argument', 'the prompt is empty')
}

async function sessionFor(
  { config }: Setup,
  store: Store,
  options: RunFlags,
  prompt: string | undefined,
): Promise<Session> {
  if (options.session !== undefined) {
    const session = await store.session(options.session)
    if (session === undefined)
      throw new PithError('unknown-session', `there is no session ${options.session}; pith sessions lists them`)
    if (session.workspace !== config.workspace)
      note(`This session was held in ${printable(session.workspace)} and continues in ${printable(config.workspace)}`)
    return session
  }
  if (options.continue === true) {
    const { sessions } = await store.sessions({ workspace: config.workspace, limit: 1 })
    const [last] = sessions
    if (last === undefined)
      throw new PithError('unknown-session', `there is no session in ${config.workspace} to continue`)
    return last
  }
  const title = prompt === undefined ? undefined : titleFrom(prompt)
  return store.createSession({ owner: 'local', workspace: config.workspace, title })
}

function codeOf({ reason }: TurnEnd): number {
  if (reason === 'done') return EXIT.done
  return reason === 'aborted' ? EXIT.interrupted : EXIT.failed
}
