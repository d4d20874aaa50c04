import type { Seq } from '../../../model/types.ts'
import type { LineKind } from '../value.ts'

/** One thing that a record may say: where it is shown, what it comes from, its forms, and what it is worth. */
export type RecordLine = {
  readonly section: string
  /** The heading inside the section. */
  readonly heading?: string
  /** The entries that it comes from, its own first. */
  readonly from: readonly Seq[]
  /** Its place among the lines of its heading: the lowest first. */
  readonly order: number
  readonly levels: number
  /** The form at a level; 0 is the longest. */
  readonly render: (level: number) => string
  /** Set if it stays: at this level or longer while there is room, and the higher the rank, the later it gives way. */
  readonly stays?: { readonly level: number; readonly rank: Rank }
  readonly kind: LineKind
  /** One more than how many of its names were used again, if that is known. */
  readonly times?: number | undefined
  /** Lines with the same label are one line: the names of files after their folder. */
  readonly label?: string
  /** Lines that stay and find no room are counted in one line, under this name. Without it, such a line is never left out. */
  readonly what?: string
  /** The folder under which a line that gave way is counted. */
  readonly folder?: string
  /** True for the words of the agent or of a summary, which the user may rewrite. */
  readonly narrative?: true
}

/** The lowest rank gives way first. */
export const RANK = { record: 0, said: 1, closed: 2, open: 3, last: 4 } as const
export type Rank = (typeof RANK)[keyof typeof RANK]

/** A line with how likely it is needed later, in thousandths. */
export type ValuedLine = RecordLine & { readonly chance: number }

/** A line whose forms are rendered once, and their sizes counted once, however often they are asked for. */
export type KnownLine<L extends RecordLine = RecordLine> = L & {
  readonly sizeOf: (level: number, cost: (text: string) => number) => number
}

/** The line with everything that is found out about it remembered. `cost` is always the same. */
export function renderedOnce<L extends RecordLine>(line: L): KnownLine<L> {
  if ('sizeOf' in line) return line as KnownLine<L>
  const texts: string[] = []
  const sizes: number[] = []
  const render = (level: number) => {
    texts[level] ??= line.render(level)
    return texts[level]
  }
  const sizeOf = (level: number, cost: (text: string) => number) => {
    sizes[level] ??= cost(render(level)) + 1
    return sizes[level]
  }
  return { ...line, render, sizeOf }
}
