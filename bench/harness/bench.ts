/** One benchmark: what `npm run bench -- speed/open` runs alone, and what the report shows under that name. */
export type Bench = {
  /** Group and name, as people type it: `speed/open`. */
  readonly name: string
  /** What is measured, in one sentence for the report. */
  readonly what: string
  run(context: BenchContext): Promise<BenchResult>
}

export type BenchContext = {
  /** Less material and fewer repetitions: all of a group in under a minute. */
  readonly quick: boolean
  /** Folders of recorded sessions; none where the user named none, and then made-up ones are used. */
  readonly transcripts: readonly string[]
  /** Who plays the model and the judge, for those that need one: `URL#name` or `folder:DIR`. */
  readonly model?: string
  readonly judge?: string
  /** No more cuts than this, and this budget alone: for a player who answers by hand. */
  readonly cuts?: number
  readonly budget?: number
  /** The names of the cuts to judge, where somebody chose them; else the bench chooses. */
  readonly cutNames?: readonly string[]
  /** A folder for files of this run, emptied afterwards. */
  readonly scratch: string
  /** One line that replaces the last one on a terminal. */
  progress(line: string): void
}

export type BenchResult = {
  readonly tables: readonly Table[]
  readonly plots?: readonly Plot[]
  /** What a reader needs to know to read the numbers: material, goals missed, why. */
  readonly notes?: readonly string[]
  /** Raw numbers for other programs, beside what the tables show. */
  readonly data?: unknown
}

/** A row that Pith loses is a row like the others; `goal` says what was aimed at. */
export type Table = {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

export type Cell = string | number | undefined

/** Lines over a common x; drawn as SVG. */
export type Plot = {
  /** The file's name without its ending. */
  readonly name: string
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly lines: readonly Line[]
}

export type Axis = { readonly label: string; readonly scale?: 'linear' | 'log' }
export type Line = { readonly label: string; readonly points: readonly (readonly [x: number, y: number])[] }
