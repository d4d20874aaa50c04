import { counted, dollars } from '../../../engine/report/numbers.ts'
import { outcomeLines, unchangedText } from '../../../engine/report/outcome.ts'
import type { CompactedResult } from '../../../model/compact-result.ts'
import type { Entry } from '../../../model/entry.ts'
import { PithError } from '../../../model/errors.ts'
import type { SummaryItem, View } from '../../../model/view.ts'
import type { SessionCompactResult } from '../../../session/compact-session.ts'
import { recordText } from '../../output/record-text.ts'
import { note, print, printable } from '../../output/show.ts'
import { outputFormat, refuseExisting, resumeHint, writeNew, written } from '../../output/write-session.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { interruptible } from '../../process/interruptible.ts'
import { openSource, type SessionSource } from '../../sessions/session-source.ts'
import { loadSetup, type Setup } from '../../setup/setup.ts'
import type { CompactFlags } from './compact.ts'
import { partedAt } from './compact-at.ts'
import { compactLog } from './compact-log.ts'
import { CompactProgress } from './compact-progress.ts'
import { compactStored } from './compact-stored.ts'
import { type SummaryWriters, summaryWriters } from './summary-writers.ts'
import { verificationOf } from './verification.ts'

type Made = {
  readonly result: SessionCompactResult
  readonly before: readonly Entry[]
  readonly after: readonly Entry[]
  readonly leftOut: number
}

/** Compacts the named session, prints the result and returns the exit code. */
export async function compactAny(what: string, flags: CompactFlags): Promise<number> {
  const start = performance.now()
  refuseExisting(flags.out)
  const setup = loadSetup({ 'policy.preset': flags.policy })
  const source = await openSource(what, setup)
  const readMs = performance.now() - start
  // An error in the command line comes before the search for a model.
  if (flags.at !== undefined) partedAt(source.session.entries, flags.at)
  const writers = await summaryWriters(setup, flags)
  if (writers.missing !== undefined) note(`The summary is a digest of the log · ${writers.missing}`)
  const progress = new CompactProgress()
  const made = await interruptible((signal) => make(setup, source, flags, writers, signal, progress)).finally(() =>
    progress.end(),
  )
  const compactMs = performance.now() - start - readMs
  const file = made.result.outcome === 'cancelled' ? undefined : write(source, made.after, flags)
  const timings = { readMs: Math.round(readMs), compactMs: Math.round(compactMs) }
  if (flags.json === true) print(JSON.stringify(resultJson(source, made, timings, file?.path), undefined, 2))
  else show(source, made, file)
  return codeOf(made.result)
}

async function make(
  setup: Setup,
  source: SessionSource,
  flags: CompactFlags,
  writers: SummaryWriters,
  signal: AbortSignal,
  { onEvent }: CompactProgress,
): Promise<Made> {
  const { session, model, id } = source
  const isCopy =
    flags.at !== undefined || flags.out !== undefined || flags.to !== undefined || flags.budget !== undefined
  const { policy } = setup.config.settings
  if (id === undefined || isCopy) return compactLog(session.entries, { flags, model, policy, writers, signal, onEvent })
  const result = await compactStored(setup, id, { flags, writers, workspace: session.workspace, signal, onEvent })
  if (result.outcome === 'refused') throw new PithError('not-allowed', unchangedText(result))
  return { result, before: session.entries, after: [...session.entries, ...result.entries], leftOut: 0 }
}

type OutputFile = { readonly path: string; readonly hint: string | undefined }

function write({ session }: SessionSource, log: readonly Entry[], flags: CompactFlags): OutputFile | undefined {
  if (flags.to === undefined && flags.out === undefined) return undefined
  const format = outputFormat(session, flags.to, flags.out)
  const made = written(session, log, format)
  return { path: writeNew(flags.out, made), hint: resumeHint(format, made) }
}

function show({ id }: SessionSource, { result, leftOut }: Made, file: OutputFile | undefined): void {
  const summary = result.compacted ? summaryOf(result.view) : undefined
  if (summary !== undefined) print(`${printable(recordText(summary))}\n`)
  for (const line of outcomeLines(result)) print(line)
  if (result.compacted) print(`  ${factsOf(result, id).join(' · ')}`)
  if (leftOut > 0) note(`  ${counted(leftOut, 'message')} after the next recorded compaction left out`)
  for (const name of (result.compacted && result.flagged) || []) note(`  Not in the source: ${printable(name)}`)
  if (file === undefined) return
  print(`  Written to ${printable(file.path)}`)
  if (file.hint !== undefined) print(`  ${printable(file.hint)}`)
}

function factsOf({ rung, model, cost }: CompactedResult, id: string | undefined): string[] {
  return [
    ...(rung === 'digest' ? ['without a model: a digest'] : []),
    ...(model === undefined ? [] : [`by ${model}`]),
    ...(cost === undefined ? [] : [dollars(cost)]),
    ...(id === undefined ? ['counted without the agent’s own prompt and tools'] : []),
  ]
}

function resultJson({ name, session }: SessionSource, made: Made, timings: object, path?: string): object {
  const { view, entries: _, ...result } = made.result
  const summary = made.result.compacted ? summaryOf(view) : undefined
  return {
    source: name,
    agent: session.agent,
    ...result,
    ...(summary === undefined
      ? {}
      : { record: recordText(summary), index: summary.index, verification: verificationOf(summary, made.before) }),
    leftOut: made.leftOut,
    timings,
    written: path,
  }
}

function summaryOf(view: View): SummaryItem | undefined {
  return view.items.slice().find((item) => item.kind === 'summary')
}

function codeOf({ outcome }: SessionCompactResult): number {
  if (outcome === 'cancelled') return EXIT.interrupted
  return outcome === 'failed' ? EXIT.failed : EXIT.done
}
