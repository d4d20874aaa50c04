import { hasNativeCompaction } from '../../../model/items.ts'
import type { Message, SummaryModel, View, WarmModel } from '../../../model/types.ts'
import { enclose } from '../../record/escape.ts'
import {
  RECALL_PROMISE,
  RECORD_CLOSING,
  SYSTEM_RECORD_OPENING,
  USER_FRAME,
  USER_OPENING,
} from '../../record/prompts/record-texts.ts'
import { changeTexts } from './rewrite-message.ts'

/** The parts of a request that come from a view: blocks for the system prompt, and messages that every provider accepts. */
export type Request = { readonly system: readonly string[]; readonly messages: readonly Message[] }

/**
 * Renders a view for sending. Providers do not accept a system message inside the conversation: a summary in that role becomes
 * a block after the system prompt, marked as data. If the conversation would not start with the user, an opening is added.
 */
export function requestOf(view: View, pending: readonly Message[] = []): Request {
  const system: string[] = []
  const messages: Message[] = []
  let isSummarised = false
  for (const item of view.items) {
    if (item.message.role !== 'system') messages.push(item.message)
    else if (item.kind === 'summary') {
      system.push(framedAsData(item.message.content))
      isSummarised = true
    } else system.push(item.message.content)
  }
  // Providers refuse a blank message.
  for (const message of pending) if (!isBlank(message)) messages.push(message)
  if (messages[0] === undefined || !opensRequest(messages[0])) {
    messages.unshift({ role: 'user', content: isSummarised ? USER_FRAME : USER_OPENING })
  }
  return { system, messages }
}

/** True for a message that a request may begin with: the user's, or a provider's own compaction, which must come first. */
export function opensRequest(message: Message): boolean {
  return message.role === 'user' || hasNativeCompaction(message)
}

function framedAsData(summary: string): string {
  return `${SYSTEM_RECORD_OPENING}\n\n${enclose('record', summary)}\n\n${RECORD_CLOSING}`
}

function isBlank({ content }: Message): boolean {
  return typeof content === 'string' && content.trim() === ''
}

/** The words with which records, handles and excerpts promise the tool `recall`, and the words to use without it. */
const PROMISES: readonly (readonly [RegExp | string, string])[] = [
  [RECALL_PROMISE, ' #N is the number of a message of that part.'],
  [/: search the log with recall\)/g, ')'],
  [/, recall (?:#\d+|all)(?=( …)?\]|; (?:names|lines) in it)/g, ''],
  [/\n?\[recall #\d+\]/g, ''],
  [/; recall #\d+(?:-#\d+)? shows (?:it|them)(?=\])/g, ''],
]

/** A message of ours without any promise of `recall`, for a model that does not have it. */
function withoutRecall(message: Message): Message {
  return changeTexts(message, unpromised)
}

function unpromised(text: string): string {
  return PROMISES.reduce((plain, [promise, instead]) => plain.replaceAll(promise, instead), text)
}

/** The messages for a model without `recall`. Messages that are not ours stay the very same objects. */
export function withoutPromises(messages: readonly Message[], given: readonly Message[]): Message[] {
  const isTheirs = membership(given, messages.length)
  return messages.map((message) => (isTheirs(message) ? message : withoutRecall(message)))
}

/** A step asks for a few messages at the end of a long list, so the search starts there. */
function membership(list: readonly Message[], asked: number): (message: Message) => boolean {
  if (asked <= A_FEW) return (message) => list.lastIndexOf(message) !== -1
  const all = new Set(list)
  return (message) => all.has(message)
}

const A_FEW = 4

/** The same for a whole request. */
export function requestWithoutRecall({ system, messages }: Request, given: readonly Message[]): Request {
  return { system: system.map(unpromised), messages: withoutPromises(messages, given) }
}

/** The models that may write a summary. */
type Summarisers = { readonly summaryModels?: readonly SummaryModel[]; readonly warm?: WarmModel }

/** Models that are asked for a summary without any mention of `recall`. A model that reads of it would advise the next reader to use it. */
export function withoutRecallIn({ summaryModels, warm }: Summarisers): Summarisers {
  return {
    summaryModels: summaryModels?.map((model) => ({
      ...model,
      stream: ({ messages, ...request }, signal) =>
        model.stream({ ...request, messages: messages.map(withoutRecall) }, signal),
    })),
    warm: warm && { ...warm, stream: (directive, signal) => warm.stream(unpromised(directive), signal) },
  }
}
