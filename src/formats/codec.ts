import type { Decoded, Sidechain } from './decoded.ts'
import type { Fields } from './json.ts'
import { LogBuilder } from './log-builder.ts'

type Facts = Pick<Decoded, 'version' | 'sessionId' | 'title' | 'workspace' | 'startedAt' | 'forkedFrom'>

/** What a codec makes of a file. */
export class Draft {
  readonly log = new LogBuilder()
  readonly facts: { -readonly [K in keyof Facts]: Facts[K] } = {}
  readonly sidechains: Sidechain[] = []
}

/** Reads a format of one JSON object a line, line by line. Nothing in a line makes it throw. */
export type LineReader = {
  read(line: Fields, number: number): void
  /** Parses a line with less work where the format allows it; the value has all that `read` looks at. */
  parse?(text: string): unknown
  finish(): Draft
}

/** Reads a format that is one JSON document. */
export type DocumentReader = (document: unknown) => Draft
