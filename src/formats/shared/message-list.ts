import { requestOf } from '../../engine/context/view/request.ts'
import { type Client, UNKNOWN_CHAT, UNKNOWN_CLIENT } from '../../engine/extract/text/clients.ts'
import type { RecordSeal } from '../../engine/record/record-place.ts'
import { Items } from '../../model/items.ts'
import { callsOf, type Entry, type Item, type Message, textOf } from '../../model/types.ts'
import type { AgentFile, FormatReader, FormatWriter, WriteDeps } from './format.ts'
import { fields, list, objects, text } from './json.ts'
import { type MessageFacts, SessionBuilder } from './log-builder.ts'
import { markedMessage, markedSummary, reminder } from './user-words.ts'
import { answeredLog, fileWithNewId, sealedRecord } from './view-parts.ts'

/** Reads a list of messages, alone or in a request. `from`: the messages of each item. */
export function listReader(from: (items: readonly unknown[]) => readonly (readonly Message[])[]): FormatReader {
  return {
    document(document) {
      const session = requestSession(document)
      const lists = from(itemsOf(document))
      session.log.client = listClient(lists.flat(), document)
      for (const messages of lists) addMessages(session, messages)
      return session
    },
  }
}

/** A list does not name its client. If neither tools nor calls are in it, results may be in the user's role. */
export function listClient(messages: readonly Message[], document?: unknown): Client {
  const hasTools = list(fields(document)?.tools).length > 0 || messages.some((message) => callsOf(message).length > 0)
  return hasTools ? UNKNOWN_CLIENT : UNKNOWN_CHAT
}

/** A session with the instructions and the model of a request. */
export function requestSession(document: unknown): SessionBuilder {
  const session = new SessionBuilder(UNKNOWN_CLIENT)
  const request = fields(document)
  const blocks = objects(request?.system).flatMap((block) => text(block.text) ?? [])
  const system = text(request?.system) ?? text(request?.instructions) ?? blocks.join('\n')
  if (system !== '') session.log.system.push(system)
  const model = text(request?.model)
  if (model !== undefined) session.log.noteModel(model)
  return session
}

/** The messages of a document that is a list of them or a request that holds one. */
export function itemsOf(document: unknown): readonly unknown[] {
  const request = fields(document)
  return request === undefined ? list(document) : list(request.messages ?? request.input ?? request.history)
}

/**
 * Appends the messages of an item; instructions are kept apart. `factsOf` derives the facts of a message in the user's role from
 * the entries before it.
 */
export function addMessages(
  { log }: SessionBuilder,
  messages: readonly Message[],
  factsOf: (before: readonly Entry[]) => MessageFacts = () => ({}),
): void {
  for (const [i, message] of messages.entries()) {
    log.recordedMessages++
    log.recordedCalls += callsOf(message).length
    if (message.role === 'system') log.system.push(message.content)
    else if (message.role !== 'user') log.sayOrCompact(message)
    else {
      const isBesideResult = messages[i - 1]?.role === 'tool'
      log.sayOrCompact(message, { ...factsOf(log.entries), ...(isBesideResult ? { isBesideResult } : {}) })
    }
  }
}

/** Writes the messages that would be sent as JSON. */
export function listWriter(to: (messages: readonly Message[]) => unknown): FormatWriter {
  return (session, deps) => jsonFile(to(sentMessages(session, deps)), deps)
}

/** The messages that would be sent of a session: its view without instructions, every call answered. */
export function sentMessages(
  { entries }: { readonly entries: readonly Entry[] },
  { seal }: Pick<WriteDeps, 'seal'> = {},
): Message[] {
  const { view } = answeredLog(entries)
  const sent = view.items.slice()
  const reader = listClient(sent.map(({ message }) => message))
  const items = Items.of(sent.map((item) => sentItem(item, reader, seal)))
  const { system, messages } = requestOf({ ...view, items })
  // A summary that its preset puts among the instructions has no other place in a list of messages.
  return [...system.map((content): Message => ({ role: 'user', content: reminder(content) })), ...messages]
}

function sentItem(item: Item, reader: Client, seal: RecordSeal | undefined): Item {
  if (item.kind === 'message') return { ...item, message: markedMessage(item, reader) }
  if (item.frame !== 'pith' || seal === undefined) return { ...item, message: markedSummary(item) }
  return { ...item, message: { role: 'user', content: sealedRecord(item, textOf(item.message), seal) } }
}

function jsonFile(value: unknown, deps: WriteDeps): AgentFile {
  return fileWithNewId(`${JSON.stringify(value, undefined, 2)}\n`, deps, 'json')
}
