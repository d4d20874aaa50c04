import type { DecodedSession } from '../../formats/decoded-session.ts'

/** The sessions of other agents on this machine, as the program that runs the server finds them. Nothing is written to them. */
export type AgentFiles = {
  /** The newest of them, each read once and again after it has changed. */
  list(limit: number): Promise<readonly AgentSessionFacts[]>
  /** One of them by the id of the list. */
  find(id: string): AgentSessionFile | undefined
}

/** The facts of a session for a list. */
export type AgentSessionFacts = {
  /** Begins with `agent:`. */
  readonly id: string
  /** The program that wrote it, by its own name. */
  readonly agent: string
  readonly title?: string
  readonly workspace?: string
  readonly updatedAt: number
  readonly messages: number
  readonly compactions: number
  readonly model?: string
  readonly tokens: number
  readonly window?: number
}

/** A session of an agent, not read yet. */
export type AgentSessionFile = {
  /** Differs whenever the session has changed. */
  stamp(): string
  /** Milliseconds since 1970. */
  changedAt(): number
  read(): Promise<DecodedSession>
}
