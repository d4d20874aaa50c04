import type { Entry } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import type { Message } from '../../model/message/message.ts'
import { PithError } from '../../model/problems/errors.ts'
import type { Usage } from '../../model/provider/model-info.ts'
import { canonicalJson, quickKey } from './content-key.ts'

/**
 * What is known of a conversation beside its messages: its record with the facts, what was masked, how the provider
 * counts, and which calls failed. JSON: store it with the messages and hand it in with the next call.
 */
export type ContextState = {
  readonly version: typeof STATE_VERSION
  /** Tells a state that was cut or changed on its way. */
  readonly check: string
  /** The list of messages that the call was given. */
  readonly said: SaidList
  /** The list that it gave back, if that is another one. */
  readonly sent?: SentList
  /** What was done to the conversation, in the order of its log. */
  readonly changes: readonly Change[]
  /** The record as it was sent: a provider's cache holds it byte for byte. */
  readonly record?: Message
  /** The last counts of the provider. */
  readonly reports: readonly Report[]
  /** When the provider answered last. */
  readonly answeredAt?: number
}

export type Change = Exclude<Entry, { type: 'message' }>

/** The provider's count with the answer that has this place in the log. */
export type Report = { readonly seq: Seq; readonly usage: Usage; readonly model?: string; readonly at: number }

export type SaidList = {
  /** Which places in the log its messages have. A message in no run is the record. */
  readonly runs: readonly Run[]
  /** Prefixes that changes and reports rest on, the shortest first. */
  readonly keys: readonly PrefixKey[]
}

/** Messages from `at` on have the places from `seq` on; without a count, all that follow. */
export type Run = { readonly at: number; readonly seq: Seq; readonly count?: number }

type PrefixKey = { readonly messages: number; readonly key: string }

export type SentList = {
  readonly messages: number
  /** How many at its front are records in the system's role, which others take for instructions. */
  readonly system: number
  /** The places of the messages behind the record that come from before its end. */
  readonly kept: readonly Seq[]
  /** The prefix by which the list is known again. */
  readonly known: PrefixKey
}

/** Changes with the form of a state; a program refuses what a later one has written. */
export const STATE_VERSION = 1

/** The state with the sum by which it is known to be whole. */
export function sealed(state: Omit<ContextState, 'version' | 'check'>): ContextState {
  // What JSON does not carry is left out at once, so that a state is the same before and after it was stored.
  const body = JSON.parse(JSON.stringify({ version: STATE_VERSION, ...state })) as Omit<ContextState, 'check'>
  return { ...body, check: quickKey(canonicalJson(body)) }
}

/** Reads a state that was stored. One that is broken, or of a later version, is refused in one line. */
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
  const whole = quickKey(canonicalJson({ version, ...rest }))
  return check === whole ? undefined : 'state: is damaged: it was cut or changed since Pith wrote it'
}
