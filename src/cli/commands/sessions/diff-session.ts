import { estimatorOf } from '../../../engine/context/measure/calibration.ts'
import {
  type DiffLine,
  lastReduction,
  type ReductionEntry,
  type ViewDiff,
} from '../../../engine/context/view/view-diff.ts'
import { itemNames } from '../../../engine/report/item-names.ts'
import { count, counted, short } from '../../../engine/report/numbers.ts'
import { PRESETS } from '../../../model/policy/presets.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text.ts'
import { type Item, textOf } from '../../../model/types.ts'
import { type Estimator, messageTokens } from '../../../tokens/estimate/estimator.ts'
import { columns, fitted, print, printJson, recordText, screenWidth, tinted } from '../../output/show.ts'
import { openSource } from '../../sessions/session-source.ts'
import { loadSetup } from '../../setup/setup.ts'
import type { JsonFlag } from './session-commands.ts'

/** Prints the changes of the last compaction or leave-out of a session to its view. */
export async function diffAny(what: string, { json }: JsonFlag): Promise<void> {
  const { session, model, name } = await openSource(what, loadSetup({}))
  const diff = lastReduction(session.entries)
  if (diff === undefined) throw new PithError('bad-argument', `${name} was never compacted: use pith compact`)
  if (json === true) return printJson(diffJson(diff))
  const estimator = estimatorOf(PRESETS.pith, session.entries, model)
  for (const line of diffLines(diff, estimator, screenWidth())) print(line)
}

function diffLines({ entry, before, after, lines }: ViewDiff, estimator: Estimator, width: number): string[] {
  const names = new Map(itemNames(before, 200).map((name, i) => [before[i]?.seq, name]))
  const size = (items: readonly Item[]) =>
    items.reduce((sum, { message }) => sum + messageTokens(message, estimator), 0)
  const { removed = [], shortened = [], added: made = [], kept = [] } = Object.groupBy(lines, ({ change }) => change)
  const rows = (sign: string, group: readonly DiffLine[]) =>
    columns(
      group.map((line) => {
        const was = line.change === 'shortened' ? messageTokens(line.from.message, estimator) : undefined
        const tokens = short(messageTokens(line.item.message, estimator))
        const size = was === undefined ? tokens : `${short(was)} → ${tokens}`
        return [`${sign} #${line.item.seq}`, size, fitted(names.get(line.item.seq) ?? '', width - 28)]
      }),
      ['left', 'right'],
    )
  const added = made.flatMap(({ item }) =>
    printable(item.kind === 'summary' ? recordText(item) : textOf(item.message))
      .split('\n')
      .map((line) => (line === '' ? '+' : `+ ${line}`)),
  )
  const sized = (items: readonly Item[]) => `${counted(items.length, 'message')}, ${count(size(items))} tokens`
  const was = before.length === 0 ? unseenText(entry) : sized(before)
  return [
    tinted(`${entry.type} #${entry.seq}: ${was} → ${sized(after)}`, 'bold'),
    ...rows('-', removed).map((line) => tinted(line, 'red')),
    ...added.map((line) => tinted(line, 'green')),
    ...rows('~', shortened).map((line) => tinted(line, 'yellow')),
    ...rows(' ', kept).map((line) => tinted(line, 'dim')),
  ]
}

/** A session that is continued in a new file begins with a summary there; what it replaced is in another file. */
function unseenText({ tokensBefore = 0 }: ReductionEntry): string {
  const size = tokensBefore === 0 ? '' : ` (a context of ${count(tokensBefore)} tokens)`
  return `the session does not show what it replaced${size}`
}

function diffJson({ entry, before, after }: ViewDiff): object {
  const shown = (items: readonly Item[]) => items.map(({ kind, seq, message }) => ({ kind, seq, message }))
  return { entry, before: shown(before), after: shown(after) }
}
