import type { z } from 'zod'
import type { PolicyPatch } from '../model/policy/policy.ts'
import { PithError } from '../model/problems/errors.ts'
import { clip, printable } from '../model/text.ts'
import type { Entry, ModelInfo, Seq } from '../model/types.ts'
import type { DamagedEntry } from '../search/handles.ts'
import type { SearchResult } from '../search/hits.ts'
import type { ModelRequest } from '../session/model-requests.ts'
import type { WholeLog } from '../session/search/search-session.ts'
import { featureEstimator } from '../tokens/estimate/feature-estimator.ts'

/** A session that the tools can answer from, not read yet. */
export type FoundSession = {
  readonly id: string
  /** The agent that writes it. */
  readonly agent: string
  /** Reads its current state: its agent may still be writing. */
  readonly read: () => Promise<SessionLog>
  /** Its log together with the entries of the session that its record was made from; to be searched, without those that both have. */
  readonly whole?: (log: SessionLog, to: 'search' | 'read') => Promise<WholeLog>
  /** Pins a message; true if it had to be put back. Absent if the session is a file of its agent: Pith never writes to those. */
  readonly pin?: (seq: Seq) => Promise<boolean>
  /** Unpins a message; absent together with `pin`. */
  readonly unpin?: (seq: Seq) => Promise<void>
}

export type SessionLog = {
  readonly title?: string
  readonly entries: readonly Entry[]
  /** Entries of our store that cannot be read. */
  readonly damaged?: readonly DamagedEntry[]
  readonly model: Partial<ModelInfo>
  readonly system: string
  /** The policy that compacts it; absent if its agent decides. */
  readonly policy?: PolicyPatch
}

/** The session that an answer is about, and why it was chosen. */
export type ChosenSession = { readonly session: FoundSession; readonly why: string }

export const SCOPES = ['session', 'folder', 'everything'] as const
export type RecallScope = (typeof SCOPES)[number]

/** Finds the sessions for the tools. */
export type SessionFinder = {
  /** The names of the wider scopes in answers, if the sessions are not on this machine. */
  readonly places?: Readonly<Record<Exclude<RecallScope, 'session'>, string>>
  /** The memory of the caller's project; absent if it has none. */
  readonly memory?: (() => string) | undefined
  /** Answers a request about the context of the conversation that calls this tool. Absent if no gateway is between agent and model. */
  readonly request?: ((toolName: string, request: ModelRequest) => Promise<string>) | undefined
  /** The session that the caller is in; undefined when there is none. */
  readonly current: () => Promise<ChosenSession | undefined>
  /** A session by the beginning of its id. */
  readonly named: (id: string) => Promise<FoundSession | undefined>
  /** Searches the sessions of this folder, or all. */
  readonly search: (scope: Exclude<RecallScope, 'session'>, query: WideQuery) => Promise<WideResult>
}

/** A search in many sessions. */
export type WideQuery = {
  readonly text: string
  readonly limit: number
  readonly signal: AbortSignal
  /** Called while files are indexed that have changed since the last search. */
  readonly progress: (done: number, all: number) => void
}

export type WideResult = SearchResult & {
  /** The sessions of the hits, by the ids in these. */
  readonly sessions: ReadonlyMap<string, NamedSession>
  /** How many files are not indexed yet: this search did not look into them. */
  readonly left?: number
}

/** A session as an answer names it. */
export type NamedSession = Pick<FoundSession, 'id' | 'agent'> & { readonly title?: string }

/** The named session, or else the one that the caller is in. */
export async function chosenSession(finder: SessionFinder, id?: string): Promise<ChosenSession> {
  if (id !== undefined) {
    const session = await finder.named(id)
    if (session === undefined) throw new PithError('unknown-session', `there is no session ${clip(id, 60)}: ${FIND_IT}`)
    return { session, why: 'as asked' }
  }
  const chosen = await finder.current()
  if (chosen === undefined) throw new PithError('unknown-session', NONE)
  return chosen
}

const FIND_IT = '`search` with `scope: everything` names the sessions of its hits'
const NONE =
  'No session of this folder was found: no agent has written one here yet. `scope: everything` looks elsewhere.'

/** The first line of every answer. */
export function sessionLine({ session, why }: ChosenSession, { title }: SessionLog): string {
  return `Session ${shortId(session)} of ${session.agent}${title === undefined ? '' : `, “${clip(title, 80)}”`} (${why})`
}

/** The beginning of an id. It is enough for the argument `session` of `recall`. */
export function shortId({ id }: NamedSession): string {
  return id.length <= 40 ? id : id.slice(0, 40)
}

/** A tool of the server. */
export type McpTool<Input = unknown> = {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  /** True when it changes nothing. */
  readonly isReadOnly: boolean
  readonly run: (input: Input, call: ToolCall) => Promise<string>
}

/** The context of a call. */
export type ToolCall = {
  readonly finder: SessionFinder
  readonly signal: AbortSignal
  /** Reports the progress of a long search to the client, if it asked for that. */
  readonly progress: (done: number, message: string) => Promise<void>
  readonly clock: () => number
}

/** The most tokens of an answer. Clients cut longer ones in the middle. */
export const ANSWER_TOKENS = 6_000

/** A text within the budget, safe for a terminal. `render` writes it with about the given number of characters. */
export function withinAnswer(render: (characters: number) => string): string {
  let characters = ANSWER_TOKENS * 4
  for (;;) {
    const text = printable(render(characters))
    const tokens = featureEstimator.text(text)
    if (tokens <= ANSWER_TOKENS || characters <= LEAST) return text
    characters = Math.max(LEAST, Math.floor((characters * ANSWER_TOKENS * 0.9) / tokens))
  }
}

const LEAST = 200
