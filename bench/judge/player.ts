import type { Ask } from '../../src/eval/kit/exchange.ts'

/** Plays a model or a judge: a server, or a person or program that answers the files in a folder. */
export type Player = {
  /** Its name in the notes of a report. */
  readonly name: string
  /** May be called many times at once. */
  ask(ask: Ask): Promise<string>
}
