import type { Index, Item, Seq } from '../../model/types.ts'
import { knownIndex } from '../extract/known-index.ts'
import { fileLines, fromRoot, readLines, rootFolder, rootLine } from './lines/file-lines.ts'
import { instructionLines } from './lines/instruction-lines.ts'
import { type RecordLine, renderedOnce, type ValuedLine } from './lines/line.ts'
import { agentLines, earlierLines, leftOutLines } from './lines/said-lines.ts'
import { stateLines } from './lines/state-lines.ts'
import { outputLines } from './lines/tool-lines.ts'
import { saidByUser } from './lines/user-lines.ts'
import { chanceOf, featuresOf } from './value.ts'

export type RecordLinesInput = {
  /** All facts up to the end of the span. */
  readonly index: Index
  /** The items that leave the view. */
  readonly items: readonly Item[]
  /** Entries of the span that are verbatim after the record. */
  readonly shown: readonly Seq[]
  /** The most characters of one message of the user. */
  readonly most: number
  /** True if no model writes a narrative: then the agent's own words are quoted. */
  readonly isDigest: boolean
}

/** All that a record may say, each line with how likely it is needed later. */
export function recordLines(input: RecordLinesInput): ValuedLine[] {
  const lines = linesOf(input)
  const last = lines.reduce((latest, { from }) => from.reduce((a, b) => Math.max(a, b), latest), 0)
  return lines.map((line) => {
    const known = renderedOnce(line)
    return { ...known, chance: chanceOf(featuresOf(known, last)) }
  })
}

function linesOf({ index, items, shown, most, isDigest }: RecordLinesInput): RecordLine[] {
  const known = knownIndex(index)
  const root = rootFolder(known)
  const short = fromRoot(root)
  const last = items.findLast(({ message }) => message.role === 'assistant')?.seq ?? 0
  return [
    ...saidByUser({ index, shown: new Set(shown), most }),
    ...instructionLines(known, short),
    ...rootLine(root, known),
    ...fileLines(known, short),
    ...stateLines(known, short),
    ...(isDigest ? [...agentLines(index, last), ...earlierLines(index)] : []),
    ...leftOutLines(items),
    ...outputLines(known),
    ...readLines(known, short),
  ]
}
