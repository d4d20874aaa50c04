import { statusOf } from '../../engine/context/open-context.ts'
import { standingCompactions } from '../../engine/context/view/activity.ts'
import { originIn, ownModel } from '../../session/import/origin.ts'
import { peekSession } from '../../session/open-session.ts'
import { untitledWords } from '../../session/session-title.ts'
import type { Session, Store } from '../../store/store.ts'
import type { Setup } from '../setup/setup.ts'
import type { SessionFacts } from './facts-cache.ts'

/** Our own sessions, or those of one owner, the most recently changed first, without empty ones. */
export async function ownSessions(store: Store, most: number, owner?: string): Promise<Session[]> {
  const found: Session[] = []
  for (let before: string | undefined; found.length < most; ) {
    const page = await store.sessions({ owner, limit: 500, before })
    found.push(...page.sessions.filter(({ lastSeq }) => lastSeq > 0))
    if (page.next === undefined) break
    before = page.next
  }
  return found
}

/** The facts of one of our sessions, without reading the messages that its summaries replaced. */
export async function factsOfOwn(store: Store, session: Session, setup: Setup): Promise<SessionFacts> {
  const { log } = await peekSession(store, session.id)
  const { entries } = await store.entries(session.id, { only: 'changes', light: true })
  const { name: model, info, guess } = ownModel(log, setup.models.registry)
  return {
    title: session.title ?? (await untitledWords(store, session)),
    workspace: session.workspace,
    model,
    window: info.contextWindow,
    isWindowGuess: guess === undefined ? undefined : true,
    messages: session.lastSeq - entries.length,
    compactions: standingCompactions(entries),
    tokens: statusOf(log, { model: info, fixed: { system: originIn(log)?.system } }).tokens,
  }
}
