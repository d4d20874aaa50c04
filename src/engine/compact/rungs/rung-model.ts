import type { Rung } from '../../../model/policy/policy.ts'
import { inSlices, mapSteps } from '../../../model/steps.ts'
import { addUsage, type Entry, type Prices, type SummaryModel, textOf, type Usage } from '../../../model/types.ts'
import { costOf } from '../../../tokens/cost.ts'
import { featureTokens, tokensBetween } from '../../../tokens/sizes.ts'
import type { CompactPlan } from '../../plan/plan-shape.ts'
import { frameWords, textOfParts, withNarrative } from '../../record/compose.ts'
import { enclose } from '../../record/escape.ts'
import { promptsOf } from '../../record/prompts/prompts-of.ts'
import { serialize } from '../../record/serialize.ts'
import { acceptAnswer, acceptSummary, type NameCounts, type Refusal } from '../ask/accept-summary.ts'
import { callModel, type SummaryCallOptions } from '../ask/call-model.ts'
import { type SummaryAttempt, summarize } from '../ask/summarize.ts'
import type { CompactState } from '../compact-state.ts'
import { type CompactionDraft, compactionDraft, focusOf } from '../compaction-draft.ts'
import { type RebuiltContext, rebuild } from '../rebuild.ts'
import { spanSteps } from '../removed-span.ts'
import { isWrittenIn } from '../verify/find-name.ts'
import { eitherIndex, type Name, namesOf, sourceIndexSteps, type WrittenName } from '../verify/source-index.ts'
import { logTexts, missingSteps, textsBesideMessages, withoutMembers } from '../verify/verify.ts'
import { attachedParts, narrativeWithin } from './attached-parts.ts'

export type ModelRungResult = { result: RebuiltContext | Refusal; spent: Expense; draft?: CompactionDraft }

/** Has a model summarise the span from its text, in chunks if necessary. */
export async function coldRung(
  state: CompactState,
  plan: CompactPlan,
  model: SummaryModel,
  before: Expense,
  facts: string | undefined,
): Promise<ModelRungResult> {
  const { input, policy, view } = state
  const covered = policy.covers === 'everything' ? view.items.length : plan.cut
  const span = view.items.slice(0, covered)
  const items = await inSlices(mapSteps(span, state.redacted), state.pause)
  const isSpan = items.every((item, i) => item === span[i])
  const summarized = await summarize({
    items,
    tokens: tokensBetween(state.sizes, 0, covered),
    featureTokens: isSpan ? featureTokens(state.sizes, covered) : undefined,
    turnStart: policy.splitTurns ? plan.turnStart : undefined,
    policy,
    model: { ...model, window: model.window ?? state.model.contextWindow },
    answerTokens: plan.allowances.summaryTokens,
    maxOutputTokens: policy.summaryTokens === 0 ? undefined : plan.allowances.summaryTokens,
    focus: focusOf(input.focus),
    facts,
    estimator: state.estimator,
    pause: state.pause,
    signal: input.signal,
    callSignal: input.callSignal,
    onText: emitText(state),
    onRetry: emitRetry(state),
    onChunk: (chunk, of) => input.onEvent?.({ type: 'chunk', chunk, of }),
  })
  return finish(state, plan, 'cold', model, summarized, before, facts)
}

function emitRetry({ input }: CompactState): NonNullable<SummaryCallOptions['onRetry']> {
  return ({ inMs, reason }) => input.onEvent?.({ type: 'retry', inMs, reason })
}

/** Sends the text in pieces of a few words: an event for each token would double the overhead. */
function emitText({ input }: CompactState): NonNullable<SummaryCallOptions['onText']> {
  let waiting = ''
  return (text) => {
    input.onText?.(text)
    waiting += text
    if (waiting.length < PIECE_CHARACTERS) return
    const piece = waiting
    waiting = ''
    input.onEvent?.({ type: 'text', text: piece })
  }
}

const PIECE_CHARACTERS = 60

/** Asks the main model by adding a directive to the request in its cache. It covers everything, and nothing is sent twice. */
export async function warmRung(
  state: CompactState,
  plan: CompactPlan,
  before: Expense,
  facts: string | undefined,
): Promise<ModelRungResult> {
  const { input } = state
  const warm = input.warm
  if (warm === undefined) return { result: refused('the last request is not in the cache'), spent: before }
  const directive = roomyDirective(state, plan, facts)
  if (directive === undefined) {
    return { result: refused('there is no room left for the directive and the answer'), spent: before }
  }
  const model: SummaryModel = { ...warm, stream: (_, signal) => warm.stream(directive, signal) }
  const request = { system: '', messages: [], maxOutputTokens: plan.allowances.summaryTokens }
  const answer = await callModel(model, request, { ...input, onText: emitText(state), onRetry: emitRetry(state) })
  return finish(state, plan, 'warm', model, { ...acceptAnswer(answer), usage: answer.usage }, before, facts)
}

/** The directive after the request. It contains the facts if the window has room for them, the directive and the answer. */
function roomyDirective(state: CompactState, plan: CompactPlan, facts: string | undefined): string | undefined {
  const { input, policy, budget, tokens, estimator } = state
  const prompts = promptsOf(policy.promptSet)
  const focus = focusOf(input.focus)
  const asked = [policy.prompt ?? prompts.summary, ...(focus === undefined ? [] : [prompts.focus(focus)])]
  const forms = [
    ...(facts === undefined ? [] : [[prompts.warm, enclose('facts', facts), ...asked]]),
    [prompts.warm, ...asked],
  ]
  const room = (budget.window ?? Number.POSITIVE_INFINITY) - tokens - plan.allowances.summaryTokens
  const directives = forms.map((form) => form.join('\n\n'))
  const shortest = input.warm?.isSentAnyway === true ? directives.at(-1) : undefined
  return directives.find((directive) => estimator.text(directive) <= room) ?? shortest
}

async function finish(
  state: CompactState,
  plan: CompactPlan,
  rung: Rung,
  model: SummaryModel,
  summarized: SummaryAttempt,
  before: Expense,
  facts: string | undefined,
): Promise<ModelRungResult> {
  const spent = addExpense(before, summarized.usage, model.prices)
  if (!summarized.ok) return { result: summarized, spent }
  const beside = await inSlices(attachedParts(state, plan), state.pause)
  const summary = narrativeWithin(state, plan, textOfParts(beside), withoutSecrets(state, summarized.summary))
  const { flagged, ...names } = await checkNames(state, summary, { read: summarized.read, facts })
  await inSlices(spanSteps(state, plan.cut), state.pause)
  const verdict = speaksOfSpan(state, plan, summary, names)
  if (!verdict.ok) return { result: verdict, spent }
  const { frame } = state.policy
  const parts = frame === 'pith' ? withNarrative(beside, summary) : [...frameWords(frame, summary), ...beside]
  const made = {
    summary,
    parts,
    rung,
    model: model.name,
    ...spent,
    flagged: flagged.length === 0 ? undefined : flagged,
  }
  const draft = compactionDraft(state, plan, made)
  return { result: await inSlices(rebuild(state, [draft], plan.bounds), state.pause), spent, draft }
}

/** On the warm rung the model sees the original conversation with its secrets, so its summary may repeat one. */
function withoutSecrets({ input, policy }: CompactState, summary: string): string {
  return policy.redactSecrets && input.redact !== undefined ? input.redact(summary) : summary
}

/** Checked only if the digest rung follows. Other policies accept every finished answer, because they would be left with nothing. */
function speaksOfSpan(
  state: CompactState,
  plan: CompactPlan,
  summary: string,
  names: NameCounts,
): { ok: true } | Refusal {
  const { policy, sizes, estimator } = state
  if (!policy.rungs.includes('digest')) return { ok: true }
  const { items, index } = state.removed(plan.cut)
  const { system, summary: asked, ...others } = promptsOf(policy.promptSet)
  return acceptSummary(summary, estimator.text(summary), {
    index,
    messages: items.length,
    tokens: tokensBetween(sizes, 0, plan.cut),
    names,
    instruction: [system, policy.prompt ?? asked, others.warm, others.update, others.merge].join('\n'),
  })
}

function refused(reason: string): Refusal {
  return { ok: false, refusal: 'not-asked', reason }
}

/** The most names that are listed under a summary. */
const MOST_FLAGGED = 20

/** The texts that a model was given besides the view. `read`: the conversation, if it is known as the model has read it. */
type GivenTexts = { readonly read?: string; readonly facts?: string }

/**
 * Looks up the names of a summary in the session, if the policy verifies. Those that the session does not contain are
 * flagged: they are reported, and never become facts. Quotations are not counted, because a summary may translate them.
 */
export async function checkNames(
  state: CompactState,
  summary: string,
  given: GivenTexts = {},
): Promise<NameCounts & { readonly flagged: string[] }> {
  const names = state.policy.verify ? namesOf(summary) : []
  const missing = await notInSession(state, names, given)
  const counted = (of: readonly Name[]) => of.filter(({ kind }) => kind !== 'quotation').length
  return {
    found: counted(names) - counted(missing),
    missing: counted(missing),
    flagged: withoutMembers(missing)
      .slice(0, MOST_FLAGGED)
      .map((name) => name.text.slice(0, 120)),
  }
}

async function notInSession(
  state: CompactState,
  names: readonly WrittenName[],
  { read = '', facts = '' }: GivenTexts,
): Promise<readonly WrittenName[]> {
  // Most summaries copy their names exactly from the text. Then no index is needed.
  const doubtful = names.filter((name) => !isWrittenIn(read, name))
  if (doubtful.length === 0) return []
  const { pause } = state
  const texts = mapSteps(state.view.items.slice(), ({ message }) => serialize(message, { cutCharacters: 0 }))
  const shown = await inSlices(texts, pause)
  const view = await inSlices(sourceIndexSteps(shown), pause)
  // Most summaries name only things in view. Then the rest of the session need not be read.
  if ((await inSlices(missingSteps(doubtful, view), pause)).length === 0) return []
  const stored = (await state.input.sourceTexts?.()) ?? []
  const others = await inSlices(sourceIndexSteps([...otherTexts(state, shown), facts, ...stored]), pause)
  return inSlices(missingSteps(doubtful, eitherIndex(view, others)), pause)
}

/** All texts apart from the view that the model may have a name from: the log, the fixed parts, and texts as we shortened them for it. */
function otherTexts(state: CompactState, shown: readonly string[]): string[] {
  const { input, fixed: sizes } = state
  const log = state.whole.log.slice()
  const { system = '', instructions = '', memory = '', tools = [] } = sizes.fixed
  const logged = showsLog(state, log) ? textsBesideMessages(log) : logTexts(log)
  const pending = (input.pending ?? []).map(textOf)
  const fixed = [system, instructions, memory, JSON.stringify(tools)]
  return [...logged, ...cutTexts(state, shown), ...pending, ...fixed, input.focus ?? '']
}

/** True if the messages of the view are those of the log: then the log adds nothing. */
function showsLog({ view: { items } }: CompactState, log: readonly Entry[]): boolean {
  let at = 0
  for (const entry of log) if (entry.type === 'message' && items.at(at++)?.message !== entry.message) return false
  return at === items.length
}

/** The messages of the view that were shortened for the model. If the whole text is short, no part of it was shortened. */
function cutTexts({ view, policy }: CompactState, shown: readonly string[]): string[] {
  return view.items.slice().flatMap(({ message }, i) => {
    const whole = shown[i] ?? ''
    const cut = whole.length <= policy.cutCharacters ? whole : serialize(message, policy)
    return cut === whole ? [] : [cut]
  })
}

/** The usage and cost of a compaction's model calls, including failed ones. The cost is in US dollars, or unknown. */
export type Expense = { readonly usage?: Usage; readonly cost?: number }

/** The expense after one more call. If the price of one call is unknown, the total is unknown. */
export function addExpense(spent: Expense, usage: Usage | undefined, prices: Prices | undefined): Expense {
  if (usage === undefined) return spent
  const known = prices !== undefined && (spent.usage === undefined || spent.cost !== undefined)
  return { usage: addUsage(spent.usage, usage), cost: known ? (spent.cost ?? 0) + costOf(usage, prices) : undefined }
}
