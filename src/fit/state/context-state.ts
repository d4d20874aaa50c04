import { PithError } from '../../model/problems/errors.ts'
import type { Entry, Message, Seq, Usage } from '../../model/types.ts'
import { canonicalJson, quickKey } from './content-key.ts'

/**
 * Everything known about a conversation apart from its messages: its record with the facts, what was masked, how the provider
 * counts, and which calls failed. It is JSON: store it with the messages and pass it to the next call.
 */
export type ContextState = {
  readonly version: typeof STATE_VERSION
  /** Detects a state that was cut or changed. */
  readonly check: string
  /** The list of messages that the call got. */
  readonly said: GivenList
  /** The list that it returned, if that is another one. */
  readonly sent?: SentList
  /** The changes of the conversation, in the order of its log. */
  readonly changes: readonly Change[]
  /** The record as it was sent: the provider's cache has it byte for byte. */
  readonly record?: Message
  /** The last counts of the provider. */
  readonly reports: readonly Report[]
  /** When the provider answered last. */
  readonly answeredAt?: number
}

export type Change = Exclude<Entry, { type: 'message' }>

/** The provider's count for the answer at this place in the log. */
export type Report = { readonly seq: Seq; readonly usage: Usage; readonly model?: string; readonly at: number }

/** This many counts show well enough how a model counts. */
export const MOST_REPORTS = 8

export type GivenList = {
  /** The places of its messages in the log. A message in no run is the record. */
  readonly runs: readonly Run[]
  /** The prefixes that changes and reports depend on, the shortest first. */
  readonly keys: readonly PrefixKey[]
}

/** Messages from `at` on have the places from `seq` on; without a count, all that follow. */
export type Run = { readonly at: number; readonly seq: Seq; readonly count?: number }

type PrefixKey = { readonly messages: number; readonly key: string }

export type SentList = {
  readonly messages: number
  /** The number of records in the system role at its front. Other programs take them for instructions. */
  readonly system: number
  /** The places of the messages after the record that come from before its end. */
  readonly kept: readonly Seq[]
  /** The prefix by which the list is recognised. */
  readonly known: PrefixKey
}

/** Increased when the form of a state changes. A program refuses a state of a later version. */
export const STATE_VERSION = 1

/** The state with its checksum. */
export function sealed(state: Omit<ContextState, 'version' | 'check'>): ContextState {
  // Values that JSON cannot express are removed at once, so that a state is the same before and after it was stored.
  const body = JSON.parse(JSON.stringify({ version: STATE_VERSION, ...state })) as Omit<ContextState, 'check'>
  return { ...body, check: quickKey(canonicalJson(body)) }
}

/** Reads a stored state. A broken state, or one of a later version, is refused with a message in one line. */
export function readState(value: unknown): ContextState {
  const problem = problemOf(value)
  if (problem !== undefined) throw new PithError('bad-state', problem)
  return value as ContextState
}

function problemOf(value: unknown): string | undefined {
  if (typeof value === 'string')
    return 'state: is a text; pass the object, JSON.parse(…) of it, or openState(…) of a signed one'
  if (typeof value !== 'object' || value === null || !('version' in value)) return 'state: is not a state of Pith'
  const { version, check, ...rest } = value as Record<string, unknown>
  if (typeof version !== 'number') return 'state: is not a state of Pith'
  if (version > STATE_VERSION)
    return `state: has version ${version}; this version of Pith reads up to ${STATE_VERSION}, so a newer one wrote it`
  if (isTooLarge(rest)) return 'state: is larger than any state of Pith'
  const whole = quickKey(canonicalJson({ version, ...rest }))
  return check === whole ? undefined : 'state: is damaged: it was cut or changed since Pith wrote it'
}

/** Several times as much as the largest state has, as JSON: see the bounds in `state-of.ts`. */
const MOST_CHARACTERS = 4_000_000
/** The quotes, commas and digits of one value. */
const CHARACTERS_OF_A_VALUE = 8

/** Stops as soon as the answer is known: the checksum of a huge value takes seconds, and that of one that contains itself never ends. */
function isTooLarge(value: unknown): boolean {
  const open = [value]
  let left = MOST_CHARACTERS
  while (open.length > 0) {
    const next = open.pop()
    left -= typeof next === 'string' ? next.length : CHARACTERS_OF_A_VALUE
    const fields = typeof next === 'object' && next !== null ? Object.values(next) : []
    if (left < fields.length * CHARACTERS_OF_A_VALUE) return true
    for (const field of fields) open.push(field)
  }
  return left < 0
}

/** The part of a change that concerns valid entries; undefined if nothing is left of it. */
export function changeWithin(change: Change, holds: (seq: Seq) => boolean): Change | undefined {
  switch (change.type) {
    case 'compaction': {
      const squeezes = change.squeezes?.filter(({ target }) => holds(target))
      return { ...change, squeezes: squeezes?.length === 0 ? undefined : squeezes }
    }
    case 'mask':
      return { ...change, targets: change.targets.filter(holds) }
    case 'squeeze':
      return { ...change, squeezes: change.squeezes.filter(({ target }) => holds(target)) }
    case 'repair': {
      const changes = change.changes.filter((step) => holds(step.seq) && (!('from' in step) || holds(step.from)))
      return changes.length === 0 ? undefined : { ...change, changes }
    }
    case 'attempt':
      return holds(change.seq) ? change : undefined
    default:
      return undefined
  }
}

/** The places that a change depends on: if a list is the same up to there, the change applies to it. */
export function placesOf(change: Change): Seq[] {
  switch (change.type) {
    case 'compaction':
      return [Math.max(change.upTo, ...change.keep), ...(change.squeezes ?? []).map(({ target }) => target)]
    case 'mask':
      return [...change.targets]
    case 'squeeze':
      return change.squeezes.map(({ target }) => target)
    case 'repair':
      return change.changes.map((step) => ('from' in step ? Math.max(step.from, step.seq) : step.seq))
    // Its reason may quote earlier messages.
    case 'attempt':
      return [change.seq]
    default:
      return []
  }
}
