import type { AssistantMessage, Model, Message as PiMessage } from '@earendil-works/pi-ai'
import {
  buildSessionContext,
  compact,
  DEFAULT_COMPACTION_SETTINGS,
  estimateTokens,
  type SessionEntry,
  SessionManager,
  serializeConversation,
} from '@earendil-works/pi-coding-agent'
import type { Peer, PeerTask } from '../harness/peer.ts'
import { prepareCompaction } from '../node_modules/@earendil-works/pi-coding-agent/dist/core/compaction/index.js'
import { convertToLlm } from '../node_modules/@earendil-works/pi-coding-agent/dist/core/messages.js'
import { appendNative, nativeEntries, nativeMessages, oursOf } from './pi-messages.ts'

/** pi: its compaction functions on entries as its session files have them, and its `SessionManager`. */
export const peer: Peer<SessionEntry[]> = {
  label: 'pi',
  nativeOf: nativeEntries,
  messagesOf: (entries) => llmMessages(entries).map(oursOf),
  append: appendNative,
  count: (entries) => {
    let tokens = 0
    for (const entry of entries) if (entry.type === 'message') tokens += estimateTokens(entry.message)
    return tokens
  },
  plan: (entries) => {
    const prepared = prepareCompaction(entries, DEFAULT_COMPACTION_SETTINGS)
    return prepared === undefined ? 0 : entries.findIndex(({ id }) => id === prepared.firstKeptEntryId)
  },
  serialize: (entries) => serializeConversation(llmMessages(entries)),
  compact: async (entries, task) => {
    const made = await compacted(entries, task)
    if (made === undefined) return entries
    const id = 'compaction'
    const timestamp = new Date().toISOString()
    return [...entries, { type: 'compaction', id, parentId: entries.at(-1)?.id ?? null, timestamp, ...made }]
  },
  store: {
    create: (folder, messages) => {
      const session = SessionManager.create(folder, folder)
      for (const message of nativeMessages(messages)) session.appendMessage(message)
      return session.getSessionFile() ?? ''
    },
    open: (file) => SessionManager.open(file).buildSessionContext().messages.length,
    appender: (file) => {
      const session = SessionManager.open(file)
      return (message) => {
        for (const one of nativeMessages([message])) session.appendMessage(one)
      }
    },
    compact: async (file, task) => {
      const session = SessionManager.open(file)
      const made = await compacted(session.getBranch(), task)
      if (made === undefined) return
      session.appendCompaction(made.summary, made.firstKeptEntryId, made.tokensBefore, made.details)
    },
  },
  notes: {
    count:
      'pi: `estimateTokens` of every message: length ÷ 4, no character is read. After a reported usage it counts only what came later.',
    plan: 'pi: `prepareCompaction`: count, cut and file lists.',
    serialize: 'pi: `serializeConversation`; tool results are cut at 2,000 characters.',
    compact:
      'pi: `prepareCompaction`, `compact`; from a file also `SessionManager.open` and `appendCompaction`. A turn that is cut in two is a second request.',
    store:
      'pi: `SessionManager`; it reads and parses the whole file, and appends without syncing: what the machine had not yet written when it stops is lost.',
  },
}

async function compacted(entries: SessionEntry[], task: PeerTask) {
  const keep = task.keepTokens === undefined ? {} : { keepRecentTokens: task.keepTokens }
  const prepared = prepareCompaction(entries, { ...DEFAULT_COMPACTION_SETTINGS, ...keep })
  // Nothing to compact, by its own rules: the session stays as it is.
  if (prepared === undefined) return undefined
  const { firstKeptEntryId = '', ...made } = await compact(prepared, modelOf(task), 'no-key')
  return { ...made, firstKeptEntryId }
}

function modelOf({ url, model, window }: PeerTask): Model<'openai-completions'> {
  return {
    id: model,
    name: model,
    api: 'openai-completions',
    provider: 'bench',
    baseUrl: url,
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: window,
    maxTokens: 16_384,
  }
}

function llmMessages(entries: SessionEntry[]): (PiMessage | AssistantMessage)[] {
  return convertToLlm(buildSessionContext(entries).messages)
}
