import { requestOf } from '../../engine/view/request.ts'
import { viewOf } from '../../engine/view/view-of.ts'
import type { Entry } from '../../model/entry.ts'
import { callsOf, type Message } from '../../model/message.ts'
import { fileWithNewId } from './agent-file.ts'
import { answerOpenCalls } from './answer-open-calls.ts'
import type { AgentFile, FormatReader, FormatWriter, WriteDeps } from './format.ts'
import { fields, list, objects, text } from './json.ts'
import { SessionBuilder } from './session-builder.ts'

/** Reads a list of messages, alone or in a request. */
export function listReader(from: (items: readonly unknown[]) => readonly Message[]): FormatReader {
  return {
    document(document) {
      const session = requestSession(document)
      addMessages(session, from(itemsOf(document)))
      return session
    },
  }
}

/** A session with what a request says beside its messages: instructions and the model. */
export function requestSession(document: unknown): SessionBuilder {
  const session = new SessionBuilder()
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

/** Appends messages; instructions are kept apart. */
export function addMessages({ log }: SessionBuilder, messages: readonly Message[]): void {
  for (const message of messages) {
    log.recordedMessages++
    log.recordedCalls += callsOf(message).length
    if (message.role === 'system') log.system.push(message.content)
    else log.sayOrCompact(message)
  }
}

/** Writes the messages that would be sent as JSON. */
export function listWriter(to: (messages: readonly Message[]) => unknown): FormatWriter {
  return (session, deps) => jsonFile(to(sentMessages(session)), deps)
}

/** The messages that would be sent of a session: its view without instructions, every call answered. */
export function sentMessages({ entries }: { readonly entries: readonly Entry[] }): Message[] {
  const { system, messages } = requestOf(viewOf(answerOpenCalls(entries)))
  // A summary that its preset puts among the instructions has no other place in a list of messages.
  return [...system.map((content): Message => ({ role: 'user', content })), ...messages]
}

function jsonFile(value: unknown, deps: WriteDeps): AgentFile {
  return fileWithNewId(`${JSON.stringify(value, undefined, 2)}\n`, deps, 'json')
}
