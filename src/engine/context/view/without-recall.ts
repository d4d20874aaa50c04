import type { Message } from '../../../model/message/message.ts'
import type { SummaryModel, WarmModel } from '../../../model/policy/summary-model.ts'
import { RECALL_PROMISE } from '../../record/prompts/record-texts.ts'
import type { Request } from './request.ts'
import { changeTexts } from './rewrite-message.ts'

/** The sentences and words with which records, handles and excerpts promise a tool, and what they say without it. */
const PROMISES: readonly (readonly [RegExp | string, string])[] = [
  [RECALL_PROMISE, ' #N is the number of a message of that part.'],
  [/: search the log with recall\)/g, ')'],
  [/, recall (?:#\d+|all)(?=( …)?\]|; names in it)/g, ''],
  [/\n?\[recall #\d+\]/g, ''],
]

const known = new WeakMap<Message, Message>()

/** A message of ours for a model that has no `recall`: it promises none. The same message gives the same object. */
function withoutRecall(message: Message): Message {
  const plain = known.get(message) ?? changeTexts(message, unpromised)
  known.set(message, plain)
  return plain
}

function unpromised(text: string): string {
  return PROMISES.reduce((plain, [promise, instead]) => plain.replaceAll(promise, instead), text)
}

/** The messages for a model that has no `recall`. What is not ours stays the very object that came. */
export function withoutPromises(messages: readonly Message[], given: readonly Message[]): Message[] {
  return messages.map((message) => {
    const known = told.get(message)
    if (known !== undefined) return known
    // New ones stand at the end: a long list is not gone through for them.
    const plain = given.lastIndexOf(message) === -1 ? withoutRecall(message) : message
    told.set(message, plain)
    return plain
  })
}

/** The role of a message stays as it is. */
const told = new WeakMap<Message, Message>()

/** The same for a whole request. */
export function requestWithoutRecall({ system, messages }: Request, given: readonly Message[]): Request {
  return { system: system.map(unpromised), messages: withoutPromises(messages, given) }
}

/** The models that may write a summary. */
type Summarisers = { readonly summaryModels?: readonly SummaryModel[]; readonly warm?: WarmModel }

/** Models that are asked for a summary without a word of `recall`: one that reads of it tells the next reader to use it. */
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
