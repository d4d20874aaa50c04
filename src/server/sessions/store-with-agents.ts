import { isAgentId } from '../../contract/shapes/agent-id.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { AgentSessions } from './agent-sessions.ts'

/** A store that also has the sessions of other agents, by their ids. They can be read and searched, but not changed. */
export function storeWithAgents(own: Store, agents: Pick<AgentSessions, 'storeOf' | 'subscribe'>): Store {
  const of = async (id: SessionId): Promise<Store> => (isAgentId(id) ? agents.storeOf(id) : own)
  const owned = async (id: SessionId): Promise<Store> => {
    if (isAgentId(id)) throw new PithError('not-allowed', READ_ONLY)
    return own
  }
  return {
    session: async (id) => (await of(id)).session(id),
    entries: async (id, query) => (await of(id)).entries(id, query),
    appended: async (id, key) => (await of(id)).appended(id, key),
    summaries: async (id, revision) => (await of(id)).summaries(id, revision),
    keepSummaries: async (id, revision, kept) => (await of(id)).keepSummaries(id, revision, kept),
    accounts: (ids) => own.accounts(ids),
    keepAccount: (account) => own.keepAccount(account),
    search: async (query) => (await of(query.session ?? '')).search(query),
    subscribe: (listener) => {
      const stops = [own.subscribe(listener), agents.subscribe(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    sessions: (query) => own.sessions(query),
    createSession: async (draft) => (await owned(draft.parent?.id ?? '')).createSession(draft),
    renameSession: async (id, title) => (await owned(id)).renameSession(id, title),
    deleteSession: async (id) => (await owned(id)).deleteSession(id),
    append: async (id, drafts, options) => (await owned(id)).append(id, drafts, options),
    redact: async (id, seqs) => (await owned(id)).redact(id, seqs),
    chainPlaces: (values) => own.chainPlaces(values),
    markChain: async (id, marks, holder) => (await owned(id)).markChain(id, marks, holder),
    acquireLease: async (id, holder, ttlMs) => (await owned(id)).acquireLease(id, holder, ttlMs),
    releaseLease: async (id, token) => (await owned(id)).releaseLease(id, token),
    pauseAppends: async (id, ms) => (await owned(id)).pauseAppends(id, ms),
    resumeAppends: async (id, token) => (await owned(id)).resumeAppends(id, token),
    sendSignal: (signal) => own.sendSignal(signal),
    receiveSignals: (listener) => own.receiveSignals(listener),
    connections: own.connections,
    close: () => own.close(),
  }
}

const READ_ONLY =
  'a session of another agent can only be read here: pith import takes it over, pith handoff passes it to another agent'
