import type { Agent } from '../../agent/agent.ts'
import { openAgent } from '../../agent/open/open-agent.ts'
import type { PermissionGate } from '../../agent/permissions/permission-gate.ts'
import { unkeptText } from '../../agent/sandbox/unkept-text.ts'
import type { Config } from '../../config/index.ts'
import { counted } from '../../engine/report/numbers.ts'
import type { ChatModel } from '../../llm/call/chat-model.ts'
import { chooseModel, knownInfo, NO_MODEL, withLocalWindow } from '../../llm/choose-model.ts'
import { noModel, openModel } from '../../llm/open-model.ts'
import type { Entry, ModelInfo } from '../../model/types.ts'
import type { SpentMeter } from '../../session/account/spent-meter.ts'
import { sessionSettings } from '../../session/open-session.ts'
import { answeringModel } from '../../session/session-state.ts'
import type { SessionId } from '../../store/store.ts'
import type { OpenedSession } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import type { LocalSetup, SessionsDeps } from './local-sessions.ts'

/** The open session on this machine. `lastMode`: the permission mode that the user worked in before, if they chose one. */
export type LocalSession = {
  readonly agent: Agent
  readonly gate: PermissionGate
  noModel: string | undefined
  readonly lastMode?: string | undefined
}

/** Opens a session with its model: that of the command line, the session's own, the configured one, or a usable one. */
export async function openLocalSession(
  setup: LocalSetup,
  id: SessionId,
  { questions, onEvent, jobs }: Pick<SessionsDeps, 'questions' | 'onEvent' | 'jobs'>,
  lastMode?: string,
): Promise<LocalSession> {
  const { store, config, models, folders, clock, memory } = setup
  const { agent, gate } = await openAgent({
    store,
    session: id,
    model: noModel(''),
    models,
    settings: config.settings,
    workspace: config.workspace,
    startedIn: config.startedIn,
    home: setup.home,
    folders,
    ask: questions.askPermission,
    askCompaction: questions.askCompaction,
    askPlan: questions.askPlan,
    onEvent,
    clock,
    jobs,
    ...(memory === undefined ? {} : { memory: () => memory(setup) }),
  })
  const { model, permissions = lastMode } = sessionSettings(agent.live.log)
  const chosen = await chosenModel(setup, model, await answeringModel(store, id))
  agent.model = chosen.model
  const isFirst = lastMode === undefined
  return { agent, gate, noModel: chosen.why, lastMode: isFirst && isModeOfStart(config) ? undefined : permissions }
}

/** True if the permission mode comes from the command line or the environment: the next start need not have it. */
export function isModeOfStart(config: Config): boolean {
  const source = config.effective().find(({ key }) => key === 'permissions')?.source ?? ''
  return source.startsWith('flag') || source.startsWith('environment')
}

/** The model of a session. The one that last answered is used only if that is possible: in an imported session, it may be another agent's model. */
async function chosenModel(
  setup: LocalSetup,
  own: string | undefined,
  answered: string | undefined,
): Promise<ChosenModel> {
  const named = setup.askedModel ?? own
  const last = named === undefined && answered !== undefined ? await modelFor(setup, answered) : undefined
  if (last !== undefined && last.why === undefined) return last
  return modelFor(setup, named ?? setup.config.settings.model)
}

/** The model's name as a user writes it; empty if there is no model. */
export function shownModel({ model }: Agent): string {
  const { provider, model: name } = model.info
  return provider === 'none' ? '' : `${provider}/${name}`
}

/** The most entries of the log that the first screen shows. */
const SHOWN_ENTRIES = 400

/** A session as a screen shows it first. */
export async function openedSession(setup: LocalSetup, local: LocalSession, spent: SpentMeter): Promise<OpenedSession> {
  const { agent, gate, noModel } = local
  const { session } = agent.live
  const { entries } = await setup.store.entries(session.id, { order: 'newest', limit: SHOWN_ENTRIES })
  return {
    session: {
      id: session.id,
      title: session.title === undefined ? undefined : safeText(session.title),
      workspace: agent.deps.workspace,
    },
    model: shownModel(agent),
    noModel,
    permissions: permissionsText(gate.mode, agent),
    thinking: agent.reasoning,
    status: agent.status(),
    suggestPercent: agent.policy.suggestPercent,
    cost: spent.report.cost,
    knownCost: spent.report.knownCost,
    notices: noticesOf(setup, local),
    reads: agent.deps.fixed.names,
    readsThere: agent.deps.fixed.elsewhere,
    jobs: agent.deps.jobs?.running().length,
    entries: fromTurnStart(entries),
    earlier: Math.max(0, (entries[0]?.seq ?? 1) - 1),
    firstRun: noModel !== undefined && session.lastSeq === 0 && (await isFirst(setup)),
  }
}

/** Notices about the configuration files, files that are not read, rules that no sandbox keeps, and entries of the log that cannot be read. */
function noticesOf({ config }: LocalSetup, { agent, gate, lastMode = gate.mode }: LocalSession): string[] {
  const { bad } = agent.live
  const unkept = unkeptText(agent.deps.sandbox, gate.never())
  const untrusted = agent.deps.prompts?.files().notice
  return [
    ...[
      ...config.notices,
      ...agent.deps.fixed.newRefusals(),
      ...(unkept === undefined ? [] : [unkept]),
      ...(untrusted === undefined ? [] : [untrusted]),
      ...(lastMode === gate.mode
        ? []
        : [
            `The permission mode was ${lastMode} and is ${gate.mode} again: /permissions ${lastMode} sets it for this session`,
          ]),
    ].map(safeText),
    ...(bad.length === 0
      ? []
      : [
          `${counted(bad.length, 'entry')} of this session cannot be read and were set aside: ${bad.map(({ seq }) => `#${seq}`).join(', ')}`,
        ]),
  ]
}

/** The permission mode, and whether commands run in a sandbox. In plan mode, nothing else matters. */
export function permissionsText(mode: string, { isPlanning, deps: { sandbox } }: LocalSession['agent']): string {
  if (isPlanning) return 'plan'
  if (sandbox === undefined) return mode
  return `${mode}, sandbox${sandbox.hasNetwork ? '' : ' without network'}`
}

/** Removes leading tool results, because a result without its call cannot be shown. */
function fromTurnStart(entries: readonly Entry[]): readonly Entry[] {
  const first = entries.findIndex((entry) => entry.type !== 'message' || entry.message.role !== 'tool')
  return entries.slice(Math.max(0, first))
}

async function isFirst({ store }: LocalSetup): Promise<boolean> {
  const { sessions } = await store.sessions({ limit: 5 })
  return sessions.every(({ lastSeq }) => lastSeq === 0)
}

/**
 * A model to work with. If it cannot be used, `why` says in one line what to set, and `needsKey` names the provider if a key is
 * missing. Its window is used in any case.
 */
type ChosenModel = { readonly model: ChatModel; readonly why?: string; readonly needsKey?: string }

/** The named model, or the first usable one when none is named. */
export async function modelFor(setup: LocalSetup, name: string | undefined): Promise<ChosenModel> {
  const wanted = name ?? (await chooseModel(setup.models))
  if (wanted === undefined) return { model: noModel(NO_MODEL), why: `${sentence(NO_MODEL)}; /model takes a key` }
  const example = wanted.startsWith('example/') ? await setup.example?.() : undefined
  if (example !== undefined) {
    const info = { ...splitName(example.model), contextWindow: example.window }
    return { model: noModel(EXAMPLE_ANSWER, info), why: EXAMPLE_TEXT }
  }
  const opened = openModel(wanted, await withLocalWindow(wanted, setup.models))
  if (!('unusable' in opened)) return { model: opened }
  const without = unusable(sentence(opened.text), knownInfo(wanted, setup.models))
  return opened.unusable === 'no-key' ? { ...without, needsKey: splitName(opened.name).provider } : without
}

const EXAMPLE_TEXT =
  'An example without a model: try /compact, /context, /undo and /recall <text>; /new starts a session of your own'

const EXAMPLE_ANSWER =
  'The example has no model that could answer: /new starts a session of your own, /model chooses a model for this one'

function unusable(why: string, info: ModelInfo | undefined): ChosenModel {
  const none = noModel(why)
  return { model: info === undefined ? none : { ...none, info }, why }
}

function splitName(name: string): { provider: string; model: string } {
  const [provider = '', model = ''] = name.split('/')
  return { provider, model }
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
