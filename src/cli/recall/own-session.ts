import { type PinContext, pinMessage } from '../../agent/pin-message.ts'
import type { FoundSession, NamedSession, SessionLog } from '../../mcp/found-session.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { Seq } from '../../model/types.ts'
import type { Registry } from '../../models/registry.ts'
import { originIn, ownModel } from '../../session/import/origin.ts'
import { LiveSession } from '../../session/live-session.ts'
import { sessionPolicy } from '../../session/open-session.ts'
import { unpin } from '../../session/user-changes.ts'
import type { Hit, Session, SessionId, Store } from '../../store/store.ts'
import { type SessionSource, storedSource } from '../sessions/session-source.ts'
import { type Setup, withStore } from '../setup/setup.ts'

/** A session with its date, and the folder that its agent worked in. */
export type DatedSession = FoundSession & {
  readonly modifiedAt: number
  readonly workspace: () => Promise<string | undefined>
}

/** The program that writes a session, and the one that decides when it is compacted: a gateway in mode `rewrite` leaves nothing to the agent. */
type SessionWriter = { readonly agent: string; readonly decides: 'policy' | 'agent' }

/** A session of our store: our own, or that of an agent behind a gateway. */
export function ownSession(session: Session, setup: Setup, { agent, decides } = OURS): DatedSession {
  const { id, workspace, updatedAt } = session
  const source = () => storedSource(id, setup)
  const deps = { policy: setup.config.settings.policy, registry: setup.models.registry }
  return {
    id,
    agent,
    modifiedAt: updatedAt,
    workspace: async () => workspace,
    read: async () => sessionLog(await source(), decides === 'policy' ? setup : undefined),
    pin: (seq) => withStore(setup, (store) => pinStored(store, id, seq, deps)),
    unpin: async (seq) => {
      await withStore(setup, (store) => unpin(store, id, seq))
    },
  }
}

/** The sessions of hits in our store, as an answer about several names them. */
export async function namedSessions(store: Store, hits: readonly Hit[]): Promise<Map<SessionId, NamedSession>> {
  const named = new Map<SessionId, NamedSession>()
  for (const { session: id } of hits) {
    if (!named.has(id)) named.set(id, { id, agent: OURS.agent, title: (await store.session(id))?.title })
  }
  return named
}

export async function idsOf(sessions: AsyncIterable<Session>): Promise<SessionId[]> {
  const ids: SessionId[] = []
  for await (const { id } of sessions) ids.push(id)
  return ids
}

const OURS: SessionWriter = { agent: 'Pith', decides: 'policy' }

/** A session as the tools of the MCP server read it. With a setup its policy decides when it is compacted. */
export function sessionLog({ session, model, damaged }: SessionSource, setup?: Setup): SessionLog {
  const { title, entries, system } = session
  return { title, entries, damaged, model, system: system.join('\n\n'), policy: setup?.config.settings.policy }
}

/** The configured policy, and the models that a session may have been made with. */
type PinDeps = { readonly policy: PolicyPatch; readonly registry: Registry }

/** Pins a message of a stored session, as its agent would. True when it was not in the view as it was said, and came back. */
export async function pinStored(store: Store, id: SessionId, seq: Seq, known: PinDeps): Promise<boolean> {
  const result = await pinMessage(store, storedContext(await LiveSession.open(store, id), known), seq)
  if (!result.ok) throw new PithError('not-allowed', result.reason)
  return result.entry.type === 'pin' && result.entry.back !== undefined
}

/** The context as it is known here, without the agent's tools. */
export function storedContext(live: LiveSession, { policy: configured, registry }: PinDeps): PinContext {
  const policy = sessionPolicy(live.log, configured)
  const { info: model } = ownModel(live.log, registry)
  const fixed = { system: originIn(live.log)?.system }
  return { live, pending: [], context: () => live.context({ policy, model, fixed }) }
}
