import type { FormatName } from '../../src/formats/index.ts'
import type { ClientName as WrappedName } from '../../src/gateway/clients/compaction-ask.ts'
import type { ProtocolName } from '../support/model-server/index.ts'

/** An agent as it comes from npm: how it is pointed at a model server and run without a person. */
export type Client = {
  readonly name: ClientName
  /** Its package, and the version that the tests were seen to pass with. */
  readonly package: string
  readonly version: string
  /** Its program in `node_modules/.bin`. */
  readonly program: string
  /** The format of its sessions, if Pith reads them. */
  readonly format: FormatName
  readonly protocol: ProtocolName
  /** Prepares its home folder and says which variables point it at the server. */
  readonly setUp: (place: ClientPlace) => Readonly<Record<string, string>>
  /** The arguments for a new session. */
  readonly start: (prompt: string, place: ClientPlace) => readonly string[]
  /** The arguments that continue a session. */
  readonly resume: (session: SessionName, prompt: string, place: ClientPlace) => readonly string[]
  /** The window with which it compacts by itself once its model reports that many tokens, or the prompt that makes it compact. */
  readonly compacts: { readonly window: number; readonly tokens: number } | { readonly prompt: string }
  /** The faults of its own requests that a strict provider would refuse, as seen without Pith. */
  readonly ownProblems?: readonly RegExp[]
  /** The calls that its model makes to do something. */
  readonly calls: ClientCalls
  /** The agent under `pith wrap`. */
  readonly wrapped: WrappedClient
}

/** The differences when `pith wrap` starts an agent. */
export type WrappedClient = {
  /** The name that `pith wrap` has for it. */
  readonly agent: WrappedName
  /** Another preparation, for an agent that `wrap` leaves alone as it is set up otherwise. */
  readonly setUp?: Client['setUp']
  /** The window with which it compacts in the middle of its work, once its model reports that many tokens. */
  readonly compacts: { readonly window: number; readonly tokens: number }
  /** How many branches its session may have, for an agent that changes what it has sent before. */
  readonly branches?: number
}

export type ClientName = 'claude-code' | 'codex' | 'pi' | 'opencode' | 'gemini' | 'copilot' | 'qwen-code'

export type ClientPlace = {
  readonly home: string
  readonly workspace: string
  /** The model server, without a path. */
  readonly url: string
  /** The window that the agent believes in; small ones make it compact. */
  readonly window: number
}

export type SessionName = { readonly id: string; readonly file: string }

/** A call of a tool. Codex's model names the server of a tool as its namespace. */
export type Call = { readonly name: string; readonly input: unknown; readonly namespace?: string }

export type ClientCalls = {
  readonly shell: (command: string) => Call
  readonly write: (path: string, text: string) => Call
  /** The calls that write a list of to-dos, if the agent has tools for it. */
  readonly todos?: (items: readonly TodoItem[]) => readonly Call[]
}

export type TodoItem = { readonly text: string; readonly done: boolean }

/** Any key will do: the model server asks for none. */
export const KEY = 'local'
