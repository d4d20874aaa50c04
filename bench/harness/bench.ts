import type { Plot } from './plot/svg-plot.ts'

export type { Plot, PlotLine } from './plot/svg-plot.ts'

/** One benchmark. It can run alone (`npm run bench -- speed/open`), and the report shows it under its name. */
export type Bench = {
  /** Group and name, as people type it: `speed/open`. */
  readonly name: string
  /** Says in one sentence of the report what is measured. */
  readonly what: string
  run(context: BenchContext): Promise<BenchResult>
}

export type BenchContext = {
  /** Less material and fewer repetitions: all of a group in under a minute. */
  readonly quick: boolean
  /** Folders of recorded sessions. If the user named none, this is empty, and made-up sessions are used. */
  readonly transcripts: readonly string[]
  /** The model and the judge, for benchmarks that need one: `URL#name` or `folder:DIR`. */
  readonly model?: string
  readonly judge?: string
  /** Limits the number of cuts, and uses this budget alone: for a player who answers by hand. */
  readonly cuts?: number
  readonly budget?: number
  /** The names of the cuts to judge. If there are none, the bench chooses. */
  readonly cutNames?: readonly string[]
  /** A folder for files of this run, emptied afterwards. */
  readonly scratch: string
  /** One line that replaces the last one on a terminal. */
  progress(line: string): void
}

export type BenchResult = {
  readonly tables: readonly Table[]
  readonly plots?: readonly Plot[]
  /** Notes that explain the numbers: the material, and goals that were missed and why. */
  readonly notes?: readonly string[]
  /** Raw numbers for other programs, in addition to the tables. */
  readonly data?: unknown
}

/** Rows that Pith loses are not left out. */
export type Table = {
  readonly title: string
  /** The day on which it was measured, if that is not the day of the whole report. */
  readonly date?: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

export type Cell = string | number | undefined
