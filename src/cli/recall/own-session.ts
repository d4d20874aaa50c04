import { viewOf } from '../../engine/context/view/view-of.ts'
import type { FoundSession, SessionLog } from '../../mcp/found-session.ts'
import { unpin } from '../../session/user-changes.ts'
import type { Session } from '../../store/store.ts'
import { compactLog } from '../compaction/compact-log.ts'
import { recordText } from '../output/record-text.ts'
import { type SessionSource, storedSource } from '../sessions/session-source.ts'
import { type Setup, withStore } from '../setup/setup.ts'
import { pinStored } from './pin-stored.ts'

/** A session with its date, and the folder that its agent worked in. */
export type DatedSession = FoundSession & {
  readonly modifiedAt: number
  readonly workspace: () => Promise<string | undefined>
}

/** Who writes a session, and what decides when it is compacted: a gateway in mode `rewrite` leaves nothing to the agent. */
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
    record: async () => recordOf(await source(), setup),
    pin: (seq) => withStore(setup, (store) => pinStored(store, id, seq, deps)),
    unpin: async (seq) => {
      await withStore(setup, (store) => unpin(store, id, seq))
    },
  }
}

const OURS: SessionWriter = { agent: 'Pith', decides: 'policy' }

/** A session as the tools of the MCP server read it. With a setup its policy decides when it is compacted. */
export function sessionLog({ session, model }: SessionSource, setup?: Setup): SessionLog {
  const { title, entries, system } = session
  return { title, entries, model, system: system.join('\n\n'), policy: setup?.config.settings.policy }
}

/** The record that a digest makes, or the one that is there where nothing more can be compacted. */
export async function recordOf({ session, model }: SessionSource, setup: Setup): Promise<string | undefined> {
  const { after } = await compactLog(session.entries, {
    flags: {},
    model,
    workspace: session.workspace,
    policy: { ...setup.config.settings.policy, rungs: ['digest'] },
    writers: { models: [] },
    signal: new AbortController().signal,
    onEvent: () => undefined,
  })
  const summary = viewOf(after)
    .items.slice()
    .findLast((item) => item.kind === 'summary')
  return summary?.kind === 'summary' ? recordText(summary) : undefined
}
