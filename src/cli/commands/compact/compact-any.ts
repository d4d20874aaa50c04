import { existsSync } from 'node:fs'
import { compactNow } from '../../../agent/compaction/compact-now.ts'
import { openAgent } from '../../../agent/open/open-agent.ts'
import { counted, dollars } from '../../../engine/report/numbers.ts'
import { leftOutText, outcomeLines, unchangedText, unusedFocusIn } from '../../../engine/report/outcome.ts'
import { makerText } from '../../../engine/report/progress-text.ts'
import { noModel } from '../../../llm/no-model.ts'
import type { CompactedResult } from '../../../model/compact-result.ts'
import type { Entry } from '../../../model/entry.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text/printable.ts'
import type { SummaryItem, View } from '../../../model/view.ts'
import type { SessionCompactResult } from '../../../session/compaction/compact-session.ts'
import { originIn } from '../../../session/import/origin.ts'
import type { SessionId } from '../../../store/store.ts'
import { partedAt } from '../../compaction/compact-at.ts'
import { type CompactedLog, type CompactLogInput, compactLog } from '../../compaction/compact-log.ts'
import { CompactProgress } from '../../compaction/compact-progress.ts'
import { summaryWriters, withoutModel } from '../../compaction/summary-writers.ts'
import { unmetBudget } from '../../compaction/unmet-budget.ts'
import { recordText } from '../../output/record-text.ts'
import { note, print, printJson } from '../../output/show.ts'
import { type OutputFile, refuseExisting, sessionOutput } from '../../output/write-session.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { interruptible } from '../../process/interruptible.ts'
import { ownSeal } from '../../process/own-seal.ts'
import { openSource, type SessionSource } from '../../sessions/session-source.ts'
import { openNamedModel } from '../../setup/named-model.ts'
import { loadSetup, type Setup, withStore } from '../../setup/setup.ts'
import type { CompactFlags } from './compact.ts'
import { verificationOf } from './verification.ts'

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
  const made = await interruptible((signal) => {
    const about = { flags, writers, signal, onEvent }
    const { id } = source
    return id === undefined || isForCopy(flags)
      ? compactCopy(setup, source, about)
      : compactOwn(setup, source, id, about)
  }).finally(() => progress.end())
  const compactMs = performance.now() - start - readMs
  const unmet = unmetBudget(flags, made.result)
  const isKept = made.result.outcome !== 'cancelled' && unmet === undefined
  const file = isKept ? await write(source, made.after, flags) : undefined
  const timings = { readMs: Math.round(readMs), compactMs: Math.round(compactMs) }
  if (flags.json === true) printJson(resultJson(source, made, timings, file?.path))
  else if (unmet === undefined) show(source, made, file)
  if (unmet === undefined) return codeOf(made.result)
  note(unmet)
  return EXIT.failed
}

/** A copy of one of our own sessions is compacted as the file of any other agent is. */
function isForCopy({ at, out, to, budget }: CompactFlags): boolean {
  return at !== undefined || out !== undefined || to !== undefined || budget !== undefined
}

type About = Pick<CompactLogInput, 'flags' | 'writers' | 'signal' | 'onEvent'>

function compactCopy({ config }: Setup, { session, model }: SessionSource, about: About): Promise<CompactedLog> {
  const { entries, workspace } = session
  return compactLog(entries, { ...about, model, workspace, policy: config.settings.policy })
}

/** Compacts one of our own sessions as its agent would: with its prompt and tools, the user's hooks, and an entry in its log. */
function compactOwn(setup: Setup, { session }: SessionSource, id: SessionId, about: About): Promise<CompactedLog> {
  const { config, models, folders } = setup
  const { flags, writers, signal, onEvent } = about
  return withStore(setup, async (store) => {
    const opened = await openNamedModel(flags.model ?? config.settings.model, models)
    const isOffline = writers.models.length === 0
    const { agent } = await openAgent({
      store,
      session: id,
      model: isOffline ? noModel(writers.missing ?? 'no model is asked') : opened.model,
      models,
      settings: config.settings,
      workspace: existsSync(session.workspace ?? '') ? (session.workspace ?? '') : config.workspace,
      folders,
      onEvent: (event) => {
        if (event.type === 'compaction') onEvent(event.event)
        if (event.type === 'notice') note(printable(event.text))
      },
    })
    const policy = isOffline ? withoutModel(agent.policyPatch, agent.policy) : undefined
    const result = await compactNow(agent, { reason: 'manual', signal, focus: flags.focus, policy })
    if (result.outcome === 'refused') throw new PithError('not-allowed', unchangedText(result))
    return { result, before: session.entries, after: [...session.entries, ...result.entries], leftOut: 0 }
  })
}

async function write(
  { session, log }: SessionSource,
  compacted: readonly Entry[],
  { to, out }: CompactFlags,
): Promise<OutputFile | undefined> {
  if (to === undefined && out === undefined) return undefined
  return (await sessionOutput(session, compacted, { to, out, origin: originIn(log), seal: ownSeal() })).write()
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

function resultJson({ name, session }: SessionSource, made: CompactedLog, timings: object, path?: string): object {
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
