import type { RepairChange } from '../../../model/entry.ts'
import type { Seq } from '../../../model/ids.ts'
import { type Message, type Part, partsOf } from '../../../model/message/message.ts'
import { isPlainlyValid, noCalls } from '../../../model/message/plainly-valid.ts'
import { opensRequest } from './request.ts'
import { pairProblems } from './validate-pairs.ts'

/** A rule of the providers that a message list breaks. */
export type ValidationRule =
  | 'first-message'
  | 'system-inside'
  | 'empty-content'
  | 'lonely-reasoning'
  | 'missing-result'
  | 'orphan-result'
  | 'misplaced-result'
  | 'duplicate-result'
  | 'duplicate-call-id'

/** A broken rule, its place and the steps that mend it. Without steps it is mended when the request is rendered. */
export type ValidationProblem = {
  readonly rule: ValidationRule
  readonly index: number
  readonly part?: number
  readonly text: string
  readonly fixes: readonly RepairChange[]
}

/** `pending: 'allowed'`: the calls of the last step may still wait for their results. */
export type ValidateOptions = { readonly pending?: 'allowed' | 'refused' }

export type PlacedMessage = { readonly seq: Seq; readonly message: Message }

/** Checks a message list against what every provider wants. Valid is an empty list. */
export function validate(messages: readonly Message[], options: ValidateOptions = {}): ValidationProblem[] {
  return [...firstMessage(messages), ...problemsOf(messages.map(placed), options)]
}

/** The problems inside a list of items. The first message is not checked: rendering the request takes care of it. */
export function problemsOf(items: readonly PlacedMessage[], options: ValidateOptions = {}): ValidationProblem[] {
  return plainlyValid(items, options) ? [] : problemsByRule(items, options)
}

/** The same problems, found one rule after the other. */
export function problemsByRule(items: readonly PlacedMessage[], options: ValidateOptions): ValidationProblem[] {
  return [...items.flatMap(contentProblems), ...lonelyReasoning(items), ...pairProblems(items, options)]
}

function placed(message: Message, seq: number): PlacedMessage {
  return { seq, message }
}

function firstMessage(messages: readonly Message[]): ValidationProblem[] {
  const first = messages[0]
  const problems: ValidationProblem[] = messages.flatMap((message, index) =>
    message.role === 'system'
      ? [{ rule: 'system-inside', index, text: 'a system message inside the conversation', fixes: [] }]
      : [],
  )
  if (first !== undefined && !opensRequest(first)) {
    problems.unshift({ rule: 'first-message', index: 0, text: `the first message is ${first.role}'s`, fixes: [] })
  }
  return problems
}

function contentProblems({ seq, message }: PlacedMessage, index: number): ValidationProblem[] {
  const parts = partsOf(message)
  const empty = parts.flatMap((part, i) => (isEmpty(part) ? [i] : []))
  if (empty.length === parts.length) {
    const why = 'the message is empty'
    return [{ rule: 'empty-content', index, text: why, fixes: [{ op: 'drop-message', seq, why }] }]
  }
  const why = 'the part is empty'
  return empty.map((part) => ({
    rule: 'empty-content',
    index,
    part,
    text: why,
    fixes: [{ op: 'drop-part', seq, part, why }],
  }))
}

/** Providers refuse a text of nothing but white space; reasoning without text may carry a signature. */
function isEmpty(part: Part): boolean {
  if (part.type === 'text') return part.text.trim() === ''
  return part.type === 'reasoning' && part.text.trim() === '' && part.providerOptions === undefined
}

/** Providers refuse reasoning at the end of a step. Its signature covers all of it, so it is dropped whole. */
function lonelyReasoning(items: readonly PlacedMessage[]): ValidationProblem[] {
  return items.flatMap(({ seq, message }, index): ValidationProblem[] => {
    if (items[index + 1]?.message.role === 'assistant') return []
    const parts = partsOf(message)
    const said = parts.findLastIndex((part) => part.type !== 'reasoning' && !isEmpty(part))
    const trailing = parts.flatMap((part, i) => (i > said && part.type === 'reasoning' && !isEmpty(part) ? [i] : []))
    if (trailing.length === 0) return []
    const why = 'reasoning with nothing after it'
    const fixes: RepairChange[] =
      said === -1 ? [{ op: 'drop-message', seq, why }] : trailing.map((part) => ({ op: 'drop-part', seq, part, why }))
    return [{ rule: 'lonely-reasoning', index, text: why, fixes }]
  })
}

/** A quick check in one pass, because nearly every list is valid. False means only that the rules have to be checked one by one. */
export function plainlyValid(items: readonly PlacedMessage[], { pending }: ValidateOptions): boolean {
  const calls = noCalls()
  return (
    items.every(({ message }) => isPlainlyValid(message, calls)) && (calls.open.size === 0 || pending === 'allowed')
  )
}
