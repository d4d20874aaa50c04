import { framedParts, partsOfLines, recordMessage, textOfParts } from '../../src/engine/record/compose.ts'
import { type RecordLinesInput, recordLines } from '../../src/engine/record/record-lines.ts'
import { selectLines } from '../../src/engine/record/select.ts'
import { emptyIndex } from '../../src/model/facts/log-index.ts'
import { type Index, type RecordPart, textOf } from '../../src/model/types.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'

export type RecordInput = Partial<Omit<RecordLinesInput, 'index'>> & {
  readonly index: Partial<Index>
  /** The tokens that its lines may have. */
  readonly room?: number
}

/** The text of a record of these facts, inside its frame. */
export function recordText(input: RecordInput): string {
  return textOfParts(partsOf(input))
}

function partsOf({
  index,
  items = [],
  shown = [],
  most = 8_000,
  isDigest = true,
  room = 100_000,
}: RecordInput): RecordPart[] {
  const lines = recordLines({ index: { ...emptyIndex, ...index }, items, shown, most, isDigest })
  return partsOfLines(selectLines(lines, room, featureEstimator.text).lines)
}

/** A record of nine messages with these facts, in Pith's frame. */
export function wholeRecord(input: RecordInput): string {
  const parts = partsOf(input)
  return textOf(recordMessage('pith', framedParts({ frame: 'pith', parts, messages: 9, standsFor: 9 })))
}

/** The lines of a record under a heading, or those of a section before its first heading. */
export function linesUnder(title: string, input: RecordInput): readonly string[] {
  const lines = recordText(input).split('\n')
  const at = lines.findIndex((line) => line === `### ${title}` || line === `## ${title}`)
  if (at === -1) return []
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => line === '' || /^##/.test(line))
  return end === -1 ? rest : rest.slice(0, end)
}
