import { statSync } from 'node:fs'
import { decode, formatNamed } from '../../formats/index.ts'
import { PithError } from '../../model/problems/errors.ts'
import { modelNamed } from '../../models/registry.ts'
import type { AgentFiles, AgentSessionFacts, AgentSessionFile } from '../../server/sessions/agent-sessions.ts'
import { redactedTexts } from '../../store/search/redacted-texts.ts'
import type { Setup } from '../setup/setup.ts'
import { type AgentIndex, agentSessionId } from './agent-index.ts'
import { findSessionFiles, type SessionFile } from './find-session-files.ts'
import { FactsCache, factsOfFile, type SessionFacts, type UnreadableFile } from './session-facts.ts'

/** The sessions that `pith sessions` lists, for a server. `agents` opens their index, once. */
export function machineSessions(setup: Setup, agents: () => AgentIndex): AgentFiles {
  const cache = new FactsCache()
  const known = new Map<string, SessionFile>()
  const look = (): SessionFile[] => {
    const files = findSessionFiles()
    known.clear()
    for (const file of files) known.set(agentSessionId(file), file)
    return files
  }
  const lastRead = new Map<string, { readonly freshUntil: number; readonly facts: SessionFacts | UnreadableFile }>()
  const factsOf = async (file: SessionFile): Promise<SessionFacts | UnreadableFile> => {
    const last = lastRead.get(agentSessionId(file))
    // A session that an agent is working in changes all the time.
    const known = cache.get(file) ?? (last !== undefined && Date.now() < last.freshUntil ? last.facts : undefined)
    if (known !== undefined) return known
    const start = Date.now()
    const facts = await factsOfFile(file, setup)
    cache.set(file, facts)
    const freshMs = Math.max(FRESH_MS, (Date.now() - start) * READ_SHARE)
    lastRead.set(agentSessionId(file), { freshUntil: Date.now() + freshMs, facts })
    return facts
  }
  return {
    async list(limit, store) {
      const files = look()
      const recordingOf = await agents().recordings(store)
      const listed: AgentSessionFacts[] = []
      for (const file of files) {
        if (listed.length >= limit) break
        const facts = await factsOf(file)
        if ('unreadable' in facts) continue
        const { isWindowGuess: assumed, ends, ...shown } = facts
        if (ends !== undefined && recordingOf(ends) !== undefined) continue
        const window = facts.window ?? modelNamed(setup.models.registry, facts.model).contextWindow
        const agent = formatNamed(file.format).label
        listed.push({ ...shown, id: agentSessionId(file), agent, updatedAt: file.modifiedAt, window, assumed })
      }
      cache.save(files)
      return listed
    },
    find(id) {
      if (!known.has(id)) look()
      const file = known.get(id)
      return file === undefined ? undefined : asAgentSessionFile(file, setup)
    },
    async searched(store, { agent, folder }) {
      const left = await agents().update({ signal: new AbortController().signal, withinMs: INDEX_MS })
      const folders = folder === undefined ? undefined : new Set([folder])
      const without = await agents().recorded(store, folders)
      return { place: agents().place({ agent, folders, without }), left, names: (id) => agents().session(id) }
    },
  }
}

/** A list may be so old, and older where a file is large: reading it takes no more than a part of the time. */
const FRESH_MS = 3_000
const READ_SHARE = 20

/** How long a search waits for files to be indexed. */
const INDEX_MS = 3_000

/** A file of more than this is not held in memory by a server. */
const MOST_BYTES = 256 * 1024 * 1024

function asAgentSessionFile(file: SessionFile, { folders }: Setup): AgentSessionFile {
  const stats = () => [file.path, `${file.path}-wal`].flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? [])
  return {
    stamp: () =>
      stats()
        .map(({ mtimeMs, size }) => `${mtimeMs}:${size}`)
        .join(' '),
    changedAt: () => Math.max(0, ...stats().map(({ mtimeMs }) => mtimeMs)),
    async read() {
      if (file.format !== 'opencode' && (stats()[0]?.size ?? 0) > MOST_BYTES)
        throw new PithError('not-allowed', 'the session is too large to be shown here: pith inspect reads it')
      const read = await decode(file.read())
      if (!read.ok) throw new PithError('not-allowed', `the session cannot be read: ${read.text}`)
      return { ...read.session, entries: redactedTexts(folders.data).hidden(read.session.entries) }
    },
  }
}
