import { count, counted, dollars } from '../../../engine/report/numbers.ts'
import { leftOutText, outcomeLines, unusedFocusIn } from '../../../engine/report/outcome.ts'
import { makerText } from '../../../engine/report/progress-text.ts'
import type { CompactedResult } from '../../../model/compact-result.ts'
import { printable } from '../../../model/text.ts'
import type { SummaryItem, View } from '../../../model/types.ts'
import type { SessionCompactResult } from '../../../session/compaction/compact-session.ts'
import { partedAt } from '../../compaction/compact-at.ts'
import type { CompactedLog, CompactLogInput, CompactWishes } from '../../compaction/compact-log.ts'
import { CompactProgress } from '../../compaction/compact-progress.ts'
import { summaryWriters } from '../../compaction/summary-writers.ts'
import { recordText } from '../../output/record-text.ts'
import { note, print, printJson } from '../../output/show.ts'
import { type OutputFile, refuseExisting, sessionOutput } from '../../output/write-session.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { interruptible } from '../../process/interruptible.ts'
import { ownSeal } from '../../process/own-seal.ts'
import { openSource, type SessionSource } from '../../sessions/session-source.ts'
import { loadSetup, type Setup } from '../../setup/setup.ts'
import type { CompactFlags } from './compact.ts'

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
  const { onEvent } = progress
  const made = await interruptible((signal) =>
    compactSource(setup, source, { flags, writers, signal, onEvent }),
  ).finally(() => progress.end())
  const compactMs = performance.now() - start - readMs
  const unmet = unmetBudget(flags, made.result)
  const isKept = made.result.outcome !== 'cancelled' && unmet === undefined
  const file = isKept ? await write(source, made, flags) : undefined
  const timings = { readMs: Math.round(readMs), compactMs: Math.round(compactMs) }
  if (flags.json === true) printJson(await resultJson(source, made, timings, file?.path))
  else if (unmet === undefined) show(source, made, file)
  if (unmet === undefined) return codeOf(made.result)
  note(unmet)
  return EXIT.failed
}

type About = Pick<CompactLogInput, 'writers' | 'signal' | 'onEvent'> & { readonly flags: CompactFlags }

/** Loads what the session needs: the agent only for one of our own, and nothing before there is a session. */
async function compactSource(setup: Setup, source: SessionSource, about: About): Promise<CompactedLog> {
  const { id, session, model } = source
  if (id !== undefined && !isForCopy(about.flags)) {
    const { compactOwn } = await import('./compact-own.ts')
    return compactOwn(setup, source, id, about)
  }
  const { compactLog } = await import('../../compaction/compact-log.ts')
  const { entries, workspace } = session
  return compactLog(entries, { ...about, model, workspace, policy: setup.config.settings.policy })
}

/** A copy of one of our own sessions is compacted as the file of any other agent is. */
function isForCopy({ at, out, to, budget }: CompactFlags): boolean {
  return at !== undefined || out !== undefined || to !== undefined || budget !== undefined
}

async function write(
  { session, origin }: SessionSource,
  { after, redact }: CompactedLog,
  { to, out }: CompactFlags,
): Promise<OutputFile | undefined> {
  if (to === undefined && out === undefined) return undefined
  return (await sessionOutput(session, after, { to, out, origin, seal: ownSeal(), redact })).write()
}

function show({ id }: SessionSource, { result, leftOut }: CompactedLog, file: OutputFile | undefined): void {
  const summary = result.compacted ? summaryOf(result.view) : undefined
  if (summary !== undefined) print(`${printable(recordText(summary))}\n`)
  for (const line of outcomeLines(result)) print(line)
  if (result.compacted) print(`  ${factsOf(result, id).join(' · ')}`)
  const unused = unusedFocusIn(result.entries)
  if (unused !== undefined) note(`  ${unused}`)
  if (result.compacted && result.leftOut !== undefined) note(`  ${leftOutText(result.leftOut)}`)
  if (leftOut > 0) note(`  ${counted(leftOut, 'message')} after the next recorded compaction left out`)
  for (const name of (result.compacted && result.flagged) || []) note(`  Not in the source: ${printable(name)}`)
  if (file === undefined) return
  print(`  Written to ${printable(file.path)}`)
  if (file.hint !== undefined) print(`  ${printable(file.hint)}`)
}

function factsOf({ rung, model, cost }: CompactedResult, id: string | undefined): string[] {
  return [
    ...(rung === 'digest' || model !== undefined ? [makerText(rung, model)] : []),
    ...(cost === undefined ? [] : [dollars(cost)]),
    ...(id === undefined ? ['counted without the agent’s own prompt and tools'] : []),
  ]
}

async function resultJson(
  { name, session }: SessionSource,
  made: CompactedLog,
  timings: object,
  path?: string,
): Promise<object> {
  const { verificationOf } = await import('./verification.ts')
  const { view, entries: _, ...result } = made.result
  const summary = made.result.compacted ? summaryOf(view) : undefined
  return {
    source: name,
    agent: session.agent,
    ...result,
    ...(summary === undefined
      ? {}
      : {
          record: recordText(summary),
          index: summary.index,
          verification: verificationOf(summary, made.before, session.workspace),
        }),
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

/** Says that a session could not be brought down to the budget that the user named; undefined where it fits. */
export function unmetBudget(
  { budget, at }: Pick<CompactWishes, 'budget' | 'at'>,
  { outcome, tokensBefore, tokensAfter }: Pick<SessionCompactResult, 'outcome' | 'tokensBefore' | 'tokensAfter'>,
): string | undefined {
  const hasEnded = outcome === 'skipped' || outcome === 'compacted'
  if (budget === undefined || !hasEnded || tokensAfter <= budget) return undefined
  const advice = at === undefined ? 'name a larger budget' : 'name a larger budget, or a later place for --at'
  return `A budget of ${count(budget)} tokens cannot be met, and the session stays at ${count(tokensBefore)} tokens: ${advice}`
}
