import type { Message, SummaryModel, WarmModel } from '../../../model/types.ts'
import { RECALL_PROMISE } from '../../record/prompts/record-texts.ts'
import type { Request } from './request.ts'
import { changeTexts } from './rewrite-message.ts'

/** The words with which records, handles and excerpts promise the tool `recall`, and the words to use without it. */
const PROMISES: readonly (readonly [RegExp | string, string])[] = [
  [RECALL_PROMISE, ' #N is the number of a message of that part.'],
  [/: search the log with recall\)/g, ')'],
  [/, recall (?:#\d+|all)(?=( …)?\]|; names in it)/g, ''],
  [/\n?\[recall #\d+\]/g, ''],
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
