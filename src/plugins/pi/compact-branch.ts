import { compactContext } from '../../engine/compact/compact.ts'
import { withSettings } from '../../engine/context/context.ts'
import { openContext } from '../../engine/context/open-context.ts'
import { reductionStatus, refusalText } from '../../engine/report/outcome.ts'
import { pauses } from '../../fit/pauses.ts'
import { readPiBranch } from '../../formats/pi/read.ts'
import { recordField } from '../../formats/shared/own-record.ts'
import type { CompactedResult } from '../../model/compact-result.ts'
import type { Policy, Rung } from '../../model/policy/policy.ts'
import { type Item, type Seq, textOf } from '../../model/types.ts'
import { loadRedactor } from '../../secrets/load-redactor.ts'
import { pluginPolicy } from '../shared/plugin-policy.ts'
import type {
  PiApi,
  PiCompaction,
  PiCompactionAnswer,
  PiCompactionEvent,
  PiContext,
  PiModel,
  PiUsage,
} from './pi-api.ts'
import { addPiUsage, fixedOf, modelInfoOf, piSummaryModel } from './pi-model.ts'

/** The answer to pi, the text for the status line once pi has accepted it, and a notice for the user. */
type BranchCompaction = {
  readonly answer: PiCompactionAnswer
  readonly status?: string
  readonly notice?: string
}

/**
 * Compacts the branch that pi is on. The record becomes pi's summary, and its facts are stored in `details`. Undefined if Pith has
 * no compaction: then pi compacts by itself.
 */
export async function compactBranch(
  event: PiCompactionEvent,
  context: PiContext,
  pi: PiApi,
): Promise<BranchCompaction | undefined> {
  const { branchEntries, reason, signal, preparation, customInstructions } = event
  const { log, seqs } = readPiBranch(branchEntries)
  const settings = {
    policy: { keepTokens: preparation.settings.keepRecentTokens, ...pluginPolicy(context.cwd) },
    model: context.model && modelInfoOf(context.model),
    fixed: fixedOf(context, pi),
  }
  const opened = openContext(log, settings)
  const writer = writerOf(opened.policy, context)
  // pi keeps only the end of a branch, so no earlier message can be kept.
  const policy = { ...settings.policy, keepLatestMessage: false, rungs: summaryRungs(opened.policy, writer) }
  let usage: PiUsage | undefined
  const spent = (more: PiUsage) => {
    usage = addPiUsage(usage, more)
  }
  const { result } = await compactContext(withSettings(opened, { ...settings, policy }), {
    // pi has already decided to compact. With `threshold`, the policy would decide again.
    reason: reason === 'overflow' ? 'overflow' : 'manual',
    summaryModels: writer === undefined ? [] : [piSummaryModel(writer, context.modelRegistry, spent)],
    focus: customInstructions?.trim() || undefined,
    sourceTexts: async () => [context.cwd],
    signal,
    redact: await loadRedactor(),
    pause: pauses(),
    clock: Date.now,
  })
  if (result.outcome === 'cancelled') return { answer: { cancel: true } }
  const made = result.compacted ? compactionOf(result, seqs, branchEntries) : undefined
  if (made === undefined || !result.compacted) return undefined
  const compaction = { ...made, tokensBefore: preparation.tokensBefore, usage }
  const notice = result.refusal === undefined ? undefined : refusalText(result.refusal)
  return { answer: { compaction }, status: reductionStatus(result), notice }
}

/** The model that writes the summary: the one from Pith's configuration if pi has it, or else the model of the session. */
function writerOf({ summaryModel }: Policy, { model, modelRegistry }: PiContext): PiModel | undefined {
  const [provider = '', ...id] = summaryModel.split('/')
  return (id.length === 0 ? undefined : modelRegistry.find(provider, id.join('/'))) ?? model
}

/** Only rungs that write a summary: pi keeps the rest of the branch unchanged. */
function summaryRungs({ rungs }: Policy, writer: PiModel | undefined): Rung[] {
  const asks = writer !== undefined && rungs.some((rung) => rung === 'warm' || rung === 'cold')
  return asks ? ['cold', 'digest'] : ['digest']
}

function compactionOf(
  { view, entries, readFiles, modifiedFiles }: CompactedResult,
  seqs: ReadonlyMap<string, Seq>,
  branch: PiCompactionEvent['branchEntries'],
): Omit<PiCompaction, 'tokensBefore'> | undefined {
  const [first, ...tail] = view.items.slice()
  if (first?.kind !== 'summary') return undefined
  const lastSeq = entries.at(-1)?.seq ?? first.seq
  const field = recordField(first.index, lastSeq, new Set(tail.map(({ seq }) => seq)))
  return {
    summary: textOf(first.message),
    firstKeptEntryId: firstKept(tail, seqs, branch),
    details: { readFiles, modifiedFiles, ...field },
  }
}

/** The first entry of the branch that stays. All entries after it stay, too. */
function firstKept(
  tail: readonly Item[],
  seqs: ReadonlyMap<string, Seq>,
  branch: PiCompactionEvent['branchEntries'],
): string | null {
  const kept = new Set(tail.map(({ seq }) => seq))
  const first = branch.find(({ id }) => kept.has(seqs.get(String(id)) ?? 0))
  return first === undefined ? null : String(first.id)
}
