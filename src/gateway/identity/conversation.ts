import { hash } from 'node:crypto'
import { isNativeCompaction } from '../../model/items.ts'
import { callsOf, jsonText, type Message, outputText, type Part, partsOf, resultsOf } from '../../model/types.ts'
import type { ChainStep, FaceName, FaceRequest, RequestMessage } from '../faces/face.ts'
import { faceNamed, messageValue } from '../faces/read-request.ts'

/** A step with its message. */
export type MessageStep = ChainStep & { readonly message: Message }

/** A conversation: all of its steps, and the last of them with their messages. */
export type RequestConversation = { readonly chain: readonly ChainStep[]; readonly tail: readonly MessageStep[] }

/** The messages of a request that have content, as ours. */
export function stepsOf(read: FaceRequest, owner: string): MessageStep[] {
  return readFrom(read, 0, startOf(read, owner)).flatMap(({ steps }) => steps)
}

/** The hash of the conversation before the messages of a request. */
function startOf({ face, continues }: FaceRequest, owner: string): string {
  return continues === undefined ? chainStart(owner, face) : heldValue(owner, continues)
}

/** The conversation of a request. Messages that it shares with one that was read before are not read again. */
export function requestConversation(read: FaceRequest, owner: string): RequestConversation {
  const { messages, face, notes } = read
  // Its messages are few, and the same messages of another request have another beginning.
  if (read.continues !== undefined) {
    const tail = stepsOf(read, owner)
    return { chain: tail.map(withoutMessage), tail }
  }
  const from = firstToRead(read, owner)
  const before = from === 0 ? undefined : notes.get(messages[from - 1] as RequestMessage)
  const last = readFrom(read, from, before?.value ?? chainStart(owner, face))
  const pieces = from > 0 && hasLateResult(last) ? readFrom(read, 0, chainStart(owner, face)) : last
  for (const { of, value, steps } of pieces) notes.set(of, { owner, value, chain: steps.map(withoutMessage) })
  return {
    chain: messages.flatMap((message) => notes.get(message)?.chain ?? []),
    tail: pieces.flatMap(({ steps }) => steps),
  }
}

/**
 * The position of the last answer before which everything is known. No result after it belongs to a call before it. If a
 * message is known, all messages before it are known, too.
 */
function firstToRead({ messages, notes }: FaceRequest, owner: string): number {
  const isKnown = (message: RequestMessage | undefined) => message !== undefined && notes.get(message)?.owner === owner
  return Math.max(
    0,
    messages.findLastIndex(({ opensAnswer }, i) => opensAnswer && isKnown(messages[i - 1])),
  )
}

/** The steps that one message of a request becomes. */
type Piece = { readonly of: RequestMessage; readonly value: string; readonly steps: readonly MessageStep[] }

function readFrom(read: FaceRequest, from: number, start: string): Piece[] {
  const messages = read.messages.slice(from)
  const lists = faceNamed(read.face).messagesOf(
    messages.map((message) => messageValue(read, message)),
    from,
  )
  let value = start
  return messages.map((of, i) => {
    const steps: MessageStep[] = []
    for (const [piece, message] of (lists[i] ?? []).entries()) {
      const next = chainValue(value, message)
      if (next !== value) steps.push({ message, value: next, at: from + i, piece, usesTools: usesTools(message) })
      value = next
    }
    return { of, value, steps }
  })
}

/** A client may send a result later than right after its call. Then the whole conversation must be searched for the call. */
function hasLateResult(pieces: readonly Piece[]): boolean {
  const calls = new Set<string>()
  return pieces.some(({ steps }) =>
    steps.some(({ message }) => {
      for (const { toolCallId } of callsOf(message)) calls.add(toolCallId)
      return resultsOf(message).some(({ toolCallId }) => !calls.has(toolCallId))
    }),
  )
}

function usesTools(message: Message): boolean {
  return callsOf(message).length > 0 || resultsOf(message).length > 0
}

function withoutMessage({ message: _, ...step }: MessageStep): ChainStep {
  return step
}

/** The hash of an empty conversation. It differs for each owner and protocol, so that they never share a session. */
export function chainStart(owner: string, face: FaceName): string {
  return digest(JSON.stringify([owner, face]))
}

/** The hash of a conversation with this message added. A message without content does not change it. */
export function chainValue(before: string, message: Message): string {
  return linksOf(message).reduce((value, link) => digest(`${value}\n${link}`), before)
}

/** The hash of a conversation that the provider has under this id. */
export function heldValue(owner: string, id: string): string {
  return digest(JSON.stringify([owner, 'held', id]))
}

/** The hash of one line of a summary. `count` is the number of lines that identify the summary. */
export function summaryValue(owner: string, count: number, line: string): string {
  return digest(JSON.stringify([owner, 'summary', count, line]))
}

/** 24 bytes are enough to keep conversations apart. Each hash is stored, so it is not longer. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 32)
}

/**
 * The canonical form of a message: a text for each part with content. It leaves out everything that clients move or rewrite
 * between requests: cache marks, ids, reasoning, white space around a text, the order of arguments. So a provider's answer
 * has the same links as the message in which the client sends it back.
 */
export function linksOf(message: Message): string[] {
  return linkedParts(message).map(({ link }) => link)
}

/** The same for clients that change the arguments of calls: a call is known by its tool alone. */
export function looseLinksOf(message: Message): string[] {
  return linkedParts(message).map(({ part, link }) =>
    part.type === 'tool-call' ? `${message.role}\ncall\n${part.toolName}` : link,
  )
}

/** The parts of a message that have content, each with its canonical form. */
export function linkedParts(message: Message): { readonly part: Part; readonly link: string }[] {
  return partsOf(message).flatMap((part) => {
    const link = partLink(part)
    return link === undefined ? [] : [{ part, link: `${message.role}\n${link}` }]
  })
}

function partLink(part: Part): string | undefined {
  switch (part.type) {
    case 'text': {
      const text = part.text.trim()
      return text === '' || MOVING.some((pattern) => pattern.test(text)) ? undefined : `text\n${text}`
    }
    case 'tool-call':
      return `call\n${part.toolName}\n${jsonText(sorted(part.input))}`
    case 'tool-result':
      return `result\n${part.output.type === 'content' ? jsonText(part.output.value) : outputText(part.output).trim()}`
    case 'image':
    case 'file':
      return `${part.type}\n${jsonText(part)}`
    case 'custom':
      // A client sends a provider's own compaction back unchanged. It replaces all messages before it.
      return isNativeCompaction(part) ? `compaction\n${jsonText(part.providerOptions)}` : undefined
    default:
      return undefined
  }
}

/** Texts that a client writes again or leaves out when it resumes a session. */
const MOVING: readonly RegExp[] = [
  // Gemini CLI: the date and the files of the folder.
  /^<session_context>/,
  // qwen-code: the date, open to-dos, and the texts before the first message, with the files of the folder.
  /^<system-reminder>\s*(?:The current (?:date is|task still has unfinished todo items)|This is the Qwen Code\.|The following (?:skills|tools) are )[\s\S]*<\/system-reminder>$/,
]

/** The value with the keys of its objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
