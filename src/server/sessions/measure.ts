import type { Agent } from '../../agent/agent.ts'
import { automaticCompaction } from '../../agent/compaction/automatic-compaction.ts'
import type { WireChange } from '../../contract/shapes/shapes.ts'
import { wireEntry } from '../../contract/shapes/wire.ts'
import { type Context, statusIn } from '../../engine/context/context.ts'
import { isCacheCold } from '../../engine/context/open-context.ts'
import { noModel, UNKNOWN_MODEL } from '../../llm/open-model.ts'
import type { Entry, Message, Origin } from '../../model/types.ts'
import { modelNamed } from '../../models/registry.ts'
import { lastModel, type OwnModel, originIn, ownModel } from '../../session/import/origin.ts'
import { sessionSettings } from '../../session/open-session.ts'
import type { Status } from '../../tokens/status.ts'
import type { ServedSession } from './live-sessions.ts'
import { sessionAgent } from './server-agent.ts'
import type { Services, SessionModel } from './services.ts'

/** The agent, the model and the context with which a session is counted. */
export type Measure = {
  readonly agent: Agent
  readonly model: SessionModel
  /** Everything that follows from its log under its policy, model and fixed parts. */
  readonly context: Context
  /** False if another agent sends a prompt and tools that are not known here. */
  readonly isFixedKnown: boolean
  /** Messages that the agent would send besides the view and that no count includes yet. */
  readonly pending: readonly Message[]
}

/** The model, the policy and the fixed parts of a session. */
export async function measureOf(services: Services, served: ServedSession): Promise<Measure> {
  const { live, id } = served
  const origin = originIn(live.log) ?? services.agentSessions?.originOf(id)
  const called = await calledModel(services, live.log, origin)
  const own = ownModel(live.log, services.models.known.registry, origin)
  const model = measuredModel(called, own, origin)
  const { agent, isFixedKnown } = await sessionAgent(services, served, {
    model: model.chat,
    writer: called.chat,
    origin,
  })
  const { info, pending } = agent
  return { agent, model: { ...model, info }, context: agent.context(), isFixedKnown, pending }
}

/** The model that a turn would call: the chosen one, or else an imported session's own if it can be used, or else the server's. */
export async function calledModel(
  { models }: Services,
  log: readonly Entry[],
  origin: Origin | undefined,
): Promise<SessionModel> {
  const chosen = sessionSettings(log).model
  const name = chosen ?? (origin === undefined ? undefined : (lastModel(log) ?? origin.model))
  const wanted = await models.of(name)
  if (name === undefined || chosen !== undefined || wanted.missing === undefined) return wanted
  const other = await models.of(undefined)
  return other.missing === undefined ? other : wanted
}

/** The model that a session without an origin is measured with. `named`: the one that its log names last. */
export async function plainModel(
  { models }: Services,
  chosen: string | undefined,
  named: string | undefined,
): Promise<SessionModel> {
  return measuredModel(await models.of(chosen), { name: named, info: modelNamed(models.known.registry, named) })
}

/** The model that the session is measured with. It may differ from the one that a turn would call. */
function measuredModel(called: SessionModel, own: OwnModel, origin?: Origin): SessionModel {
  return own.name === undefined && origin === undefined ? called : measured(called, own)
}

function measured(called: SessionModel, { name, info: own }: OwnModel): SessionModel {
  const isCalled = name === called.name
  if (isCalled && own.contextWindow === called.info?.contextWindow) return called
  const info = { ...UNKNOWN_MODEL, ...(name === undefined ? {} : { model: name }), ...own }
  const chat = isCalled ? { ...called.chat, info } : noModel(called.missing ?? NO_TURN, info)
  return { name, info, chat, missing: called.missing }
}

/** Nobody sees this text: such a model only measures. */
const NO_TURN = 'this model is not called here'

/** How full the context of a session is: the one number. */
export function statusFor({ context, pending }: Measure): Status {
  return statusIn(context, pending)
}

/** True when an automatic compaction would run now. */
export function isDue({ agent, context }: Measure, { tokens }: Status): boolean {
  const { live, model, deps } = agent
  const isCold = isCacheCold(live.log, deps.clock(), model.cacheLifetimeMs)
  // Most messages come far below the trigger: checking the whole view is not worth it then.
  const { trigger = 0, endOfWorkTrigger = trigger } = context.budget
  if (!isCold && tokens < endOfWorkTrigger) return false
  return automaticCompaction(agent).kind === 'compact'
}

/** The answer to a change of a session's view: its entry, and how full the context is after it. */
export async function wireChange(services: Services, { id, live }: ServedSession, entry: Entry): Promise<WireChange> {
  const served = await services.sessions.open(id, live.session.owner)
  return { entry: wireEntry(entry), status: statusFor(await measureOf(services, served)) }
}
