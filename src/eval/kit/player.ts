/** A request to a model or a judge. */
export type Ask = {
  /** For people who look into the files: `answer cli-43:1`. */
  readonly about: string
  /** The session whose context the prompt shows: a player sees only one context of each. */
  readonly session?: string
  readonly system: string
  readonly prompt: string
}

/** Plays a model or a judge: a server, or a person or program that answers the files in a folder. */
export type Player = {
  /** Its name in the notes of a report. */
  readonly name: string
  /** May be called many times at once. */
  ask(ask: Ask): Promise<string>
}
