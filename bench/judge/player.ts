/** What a model or a judge is asked. */
export type Ask = {
  /** For people who look into the files: `answer cli-43:1`. */
  readonly about: string
  /** The session whose context the prompt shows: nobody is shown two of one. */
  readonly session?: string
  readonly system: string
  readonly prompt: string
}

/** Who plays a model or a judge: a server, or whoever answers the files in a folder. */
export type Player = {
  /** As notes name it. */
  readonly name: string
  /** Many may be asked at once. */
  ask(ask: Ask): Promise<string>
}
