import type { Message } from '../../src/engine.ts'

export const PEER_NAMES = ['pi', 'langchain', 'gemini', 'ai-sdk'] as const
export type PeerName = (typeof PEER_NAMES)[number]

/**
 * Another system, driven by its own functions. `Native` is a conversation in its own shape; turning ours into that is not
 * part of any measurement. A method is absent if the peer has no such function.
 */
export type Peer<Native = unknown> = {
  /** Its name in the tables. */
  readonly label: string
  nativeOf(messages: readonly Message[]): Native
  messagesOf(native: Native): Message[]
  /** Adds one more message. */
  append(native: Native, message: Message): void
  /** The tokens of the conversation, as it estimates them. */
  count?(native: Native): number
  /** How many messages, from the first on, it would no longer keep. */
  plan?(native: Native): number | Promise<number>
  /** The text that its summariser reads. */
  serialize?(native: Native): string
  /** Its own compaction, at any size; returns the conversation as its model would see it from then on. */
  compact?(native: Native, task: PeerTask): Promise<Native>
  readonly store?: PeerStore
  /** How each function is driven and what it does not do, for the notes of a table. */
  readonly notes: Readonly<Partial<Record<'count' | 'plan' | 'serialize' | 'compact' | 'store', string>>>
}

export type PeerTask = {
  /** Where an OpenAI-compatible server listens, with its `/v1`. */
  readonly url: string
  readonly model: string
  readonly window: number
  /** A folder for files that it writes. */
  readonly folder: string
  /** Another tail than its own default, for those that have such a setting. */
  readonly keepTokens?: number
}

/** A peer that keeps sessions in files. */
export type PeerStore = {
  /** Writes a session and returns its file. */
  create(folder: string, messages: readonly Message[]): string
  /** Opens it and returns how many messages the model would see. */
  open(file: string): number
  /** Opens it for appending; the returned function appends one message. */
  appender(file: string): (message: Message) => void
  /** Opens it, compacts it and saves the result. */
  compact?(file: string, task: PeerTask): Promise<void>
}
