import { compact } from '../../engine/compact/compact.ts'
import { statusIn } from '../../engine/context/context.ts'
import { openContext, statusOf } from '../../engine/context/open-context.ts'
import { undoTargets } from '../../engine/context/view/activity.ts'
import { appended, logOf } from '../../engine/context/view/log.ts'
import { viewOf } from '../../engine/context/view/view-of.ts'
import { contextParts } from '../../engine/report/context-parts.ts'
import { counted } from '../../engine/report/numbers.ts'
import { outcomeLines } from '../../engine/report/outcome.ts'
import { makerText } from '../../engine/report/progress-text.ts'
import type { CompactResult } from '../../model/compact-result.ts'
import { type Entry, messagesOf, type SummaryItem } from '../../model/types.ts'
import { EXAMPLE_SESSION, EXAMPLE_WINDOW } from '../example/example-session.ts'
import { fitted, recordText, tinted } from '../output/show.ts'
import { partLines, statusText } from '../output/window-lines.ts'

const MODEL = { contextWindow: EXAMPLE_WINDOW }
const WIDTH = 80

/** Shows Pith's work on a bundled conversation: the parts of the window, a compaction, the record, the undo. */
export async function demo(print: (line: string) => void): Promise<void> {
  const log = logOf(EXAMPLE_SESSION)
  print('Pith keeps an agent’s conversation inside its context window. An example without')
  print('network or key: the session of an agent that fixes uploads.')
  print(`\n${tinted('1. What fills the window', 'bold')}  (pith inspect example)\n`)
  for (const line of picture(log)) print(line)

  print(`\n${tinted('2. A compaction', 'bold')}  (pith compact example --offline)\n`)
  // No model is passed: the summary is a digest, made from the log alone.
  const result = await compact({ log, model: MODEL })
  const longer = [...log, ...result.entries]
  for (const line of outcomeLines(result)) print(line)
  print(`  ${makerText('digest')}`)
  print('')
  for (const line of picture(longer)) print(line)
  print('\n  The record that the model reads instead of the messages:\n')
  for (const line of summaryLines(result)) print(`  │ ${line}`)

  print(`\n${tinted('3. The undo', 'bold')}\n`)
  const undone = appended(longer, [{ type: 'undo', of: undoTargets(longer).undo ?? 0 }])
  const same = JSON.stringify(messagesOf(viewOf(undone))) === JSON.stringify(messagesOf(viewOf(log)))
  print(statusText(statusOf(undone, { model: MODEL }), 30))
  print(
    `  The view is ${same ? 'byte for byte the one before' : 'NOT the one before'}: nothing was deleted, the log has`,
  )
  print(`  ${counted(undone.length, 'entry')}, the compaction and its undo among them.`)
  print('\nIn a terminal, pith is the agent itself; pith --help lists what else it does.')
}

function picture(log: readonly Entry[]): string[] {
  const context = openContext(log, { model: MODEL })
  const status = statusIn(context)
  const parts = contextParts(context, { status })
  return [statusText(status, 30), ...partLines(parts, status, WIDTH)]
}

function summaryLines({ view }: CompactResult): string[] {
  const [summary] = view.items.slice().filter((item): item is SummaryItem => item.kind === 'summary')
  if (summary === undefined) return []
  return recordText(summary)
    .split('\n')
    .map((line) => fitted(line, WIDTH - 4))
}
