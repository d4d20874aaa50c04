import { rewriteStrings } from '../../../engine/context/view/rewrite-message.ts'
import { count, counted, dollars } from '../../../engine/report/numbers.ts'
import { leftOutText, outcomeLines, unusedFocusIn } from '../../../engine/report/outcome.ts'
import { makerText } from '../../../engine/report/progress-text.ts'
import { leftOutSecretsText } from '../../../engine/report/secret-text.ts'
import type { CompactedResult } from '../../../model/compact-result.ts'
import { printable } from '../../../model/text.ts'
import type { SummaryItem, View } from '../../../model/types.ts'
import type { SessionCompactResult } from '../../../session/compaction/compact-session.ts'
import type { CompactedLog, CompactWishes } from '../../compaction/compact-log.ts'
import { withProgress } from '../../compaction/with-progress.ts'
import { note, print, printJson, recordText } from '../../output/show.ts'
import { type OutputFile, refuseExisting, sessionOutput } from '../../output/write-session.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { sealFrom } from '../../sessions/record-source.ts'
import { openSource, type SessionSource } from '../../sessions/session-source.ts'
import { loadSetup } from '../../setup/setup.ts'
import type { CompactFlags } from './compact.ts'

/** Compacts the named session, prints the result and returns the exit code. */
export async function compactAny(what: string, flags: CompactFlags): Promise<number> {
  const start = performance.now()
  refuseExisting(flags.out)
  const setup = loadSetup({ 'policy.preset': flags.policy })
  const source = await openSource(what, setup)
  const { id, session, model } = source
  const { entries, workspace } = session
  const readMs = performance.now() - start
  // The engine is loaded only when there is a session, and the agent only for one of our own.
  const { compactLog, partedAt } = await import('../../compaction/compact-log.ts')
  // An error in the command line comes before the search for a model.
  if (flags.at !== undefined) partedAt(entries, flags.at)
  const made = await withProgress(setup, flags, async (about) => {
    const isForOther = id !== undefined || (flags.to !== undefined && flags.to !== session.format)
    const input = { ...about, flags, model, workspace, isForOther, policy: setup.config.settings.policy }
    if (id === undefined || isForCopy(flags)) return compactLog(entries, input)
    const { compactOwn } = await import('./compact-own.ts')
    return compactOwn(setup, source, id, input)
  })
  const compactMs = performance.now() - start - readMs
  const unmet = unmetBudget(flags, made.result)
  const file = hasEnded(made.result) && unmet === undefined ? await write(source, made, flags) : undefined
  const timings = { readMs: Math.round(readMs), compactMs: Math.round(compactMs) }
  if (flags.json === true) printJson(await resultJson(source, made, timings, file?.path))
  else if (unmet === undefined) show(source, made, file)
  if (unmet === undefined) return codeOf(made.result)
  note(unmet)
  return EXIT.failed
}

/** A copy of one of our own sessions is compacted as the file of any other agent is. */
function isForCopy({ at, out, to, budget }: CompactFlags): boolean {
  return at !== undefined || out !== undefined || to !== undefined || budget !== undefined
}

async function write(
  source: SessionSource,
  { after, redact }: CompactedLog,
  { to, out }: CompactFlags,
): Promise<OutputFile | undefined> {
  if (to === undefined && out === undefined) return undefined
  const { session, origin } = source
  const { seal, keep } = sealFrom(source)
  const file = (await sessionOutput(session, after, { to, out, origin, seal, redact })).write()
  keep(after)
  return file
}

function show(
  { id }: SessionSource,
  { result, leftOut, unseenTokens }: CompactedLog,
  file: OutputFile | undefined,
): void {
  const summary = result.compacted ? summaryOf(result.view) : undefined
  if (summary !== undefined) print(`${printable(recordText(summary))}\n`)
  for (const line of outcomeLines(result)) print(line)
  if (result.compacted) print(`  ${factsOf(result, id, unseenTokens).join(' · ')}`)
  const unused = unusedFocusIn(result.entries)
  if (unused !== undefined) note(`  ${unused}`)
  if (result.compacted && result.leftOut !== undefined) note(`  ${leftOutText(result.leftOut)}`)
  if (leftOut > 0) note(`  ${counted(leftOut, 'message')} after the next recorded compaction left out`)
  for (const name of (result.compacted && result.flagged) || []) note(`  Not in the source: ${printable(name)}`)
  if (file === undefined) return
  print(`  Written to ${printable(file.path)}`)
  if (file.hint !== undefined) print(`  ${printable(file.hint)}`)
}

function factsOf({ rung, model, cost }: CompactedResult, id: string | undefined, unseenTokens = 0): string[] {
  const unseen = unseenTokens === 0 ? 'without' : `with about ${count(unseenTokens)} tokens for`
  return [
    ...(rung === 'digest' || model !== undefined ? [makerText(rung, model)] : []),
    ...(cost === undefined ? [] : [dollars(cost)]),
    ...(id === undefined ? [`counted ${unseen} the agent’s own prompt and tools`] : []),
  ]
}

async function resultJson(
  { name, session }: SessionSource,
  made: CompactedLog,
  timings: object,
  path?: string,
): Promise<object> {
  const { verificationOf } = await import('../../compaction/compact-log.ts')
  const { Redaction } = await import('../../../secrets/redacted-log.ts')
  const { view, entries: _, messages, ...result } = made.result
  const summary = made.result.compacted ? summaryOf(view) : undefined
  const { message, text, found } = new Redaction(made.redact)
  const safe = messages.map(message)
  const notice = leftOutSecretsText(found)
  // Writing the file said it.
  if (notice !== undefined && path === undefined) note(notice)
  const json = {
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
    unseenTokens: made.unseenTokens,
    timings,
    written: path,
  }
  return { ...Object(rewriteStrings(json, text)), messages: safe }
}

function summaryOf(view: View): SummaryItem | undefined {
  return view.items.slice().find((item) => item.kind === 'summary')
}

function codeOf({ outcome }: SessionCompactResult): number {
  if (outcome === 'cancelled') return EXIT.interrupted
  return outcome === 'failed' ? EXIT.failed : EXIT.done
}

/** True if there is a result to write: the session is compacted, or there was nothing to compact. */
function hasEnded({ outcome }: Pick<SessionCompactResult, 'outcome'>): boolean {
  return outcome === 'compacted' || outcome === 'skipped'
}

/** Says that a session could not be brought down to the budget that the user named; undefined where it fits. */
export function unmetBudget(
  { budget, at }: Pick<CompactWishes, 'budget' | 'at'>,
  { outcome, tokensBefore, tokensAfter }: Pick<SessionCompactResult, 'outcome' | 'tokensBefore' | 'tokensAfter'>,
): string | undefined {
  if (budget === undefined || !hasEnded({ outcome }) || tokensAfter <= budget) return undefined
  const advice = at === undefined ? 'name a larger budget' : 'name a larger budget, or a later place for --at'
  return `A budget of ${count(budget)} tokens cannot be met, and the session stays at ${count(tokensBefore)} tokens: ${advice}`
}
