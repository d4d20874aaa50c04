import { atOnce, mapSteps, type Steps } from '../../model/steps.ts'
import {
  callsOf,
  type Item,
  type Message,
  messagesOf,
  outputText,
  type Prices,
  resultsOf,
  type Seq,
  type View,
} from '../../model/types.ts'
import { type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { type Sizes, sizesOf, tokensAt, tokensBetween } from '../../tokens/sizes.ts'
import { appended, logOf } from '../context/view/log.ts'
import { HandleNames } from '../context/view/mask-all.ts'
import { openPart } from '../context/view/replaced-range.ts'
import { maskMessage } from '../context/view/rewrite-message.ts'
import { viewOf } from '../context/view/view-of.ts'
import { type ToolFact, toolFacts } from '../extract/calls/tool-facts.ts'
import { instructionKind } from '../extract/instructions/instruction-name.ts'
import { count } from '../report/numbers.ts'
import { cutByTurns } from './cut-rules.ts'
import { pinnedSteps } from './kept-items.ts'

/** The options of `mask`. */
export type MaskOptions = {
  /** The number of tokens to free. */
  readonly needTokens: number
  /** The newest messages, up to this many tokens, are not masked. Default 20,000. */
  readonly keepTokens?: number
  /** Prices decide whether a batch saves more than the broken cache costs. Without them usual ratios are used. */
  readonly prices?: Prices
  readonly estimator?: Estimator
}

/** The messages with old tool output masked, or unchanged with the reason. */
export type MaskResult =
  | { readonly masked: true; readonly messages: Message[]; readonly results: number; readonly freedTokens: number }
  | { readonly masked: false; readonly messages: Message[]; readonly why: string }

/**
 * Replaces old and superseded tool output with handles (`#12`: the twelfth message), in one batch or not at all.
 *
 * @example
 * ```ts
 * import { mask } from 'pith'
 *
 * const result = mask(messages, { needTokens: 20_000 })
 * console.log(result.masked ? `${result.freedTokens} tokens freed` : result.why)
 * ```
 */
export function mask(messages: readonly Message[], options: MaskOptions): MaskResult {
  const { needTokens, keepTokens = 20_000, prices, estimator = featureEstimator } = options
  const log = logOf(messages)
  const view = openPart(viewOf(log))
  const sizes = sizesOf(view.items, estimator)
  const cut = cutByTurns(view, keepTokens, sizes)
  const plan = maskPlan({ view, cut, needTokens, prices, estimator, sizes })
  if (plan.kind === 'refused') return { masked: false, messages: [...messages], why: plan.reason }
  const { targets, gainTokens } = plan
  const entry = { type: 'mask' as const, targets: [...targets], tokensBefore: 0, tokensAfter: 0 }
  const shown = messagesOf(viewOf(appended(log, [entry])))
  return { masked: true, messages: shown, results: targets.length, freedTokens: gainTokens }
}

export type MaskInput = {
  readonly view: View
  /** Only items before the tail are masked. */
  readonly cut: number
  /** Items from this index on are unread: no cache has them yet. */
  readonly unreadFrom?: number
  /** The number of tokens to free. */
  readonly needTokens: number
  /** If a batch breaks the cache anyway, also mask the rest of the tool output before the tail: it costs nothing more. */
  readonly takesAllOutput?: boolean
  /** The most characters of names in all handles together. */
  readonly nameCharacters?: number
  /** The most characters of quoted lines in all handles together. */
  readonly lineCharacters?: number
  readonly prices?: Prices
  /** The prompt cache has expired, so a batch breaks nothing. */
  readonly cacheCold?: boolean
  readonly estimator: Estimator
  /** The sizes of the view by this estimator. Without them every message is counted. */
  readonly sizes?: Sizes
}

export type MaskPlan =
  | { readonly kind: 'mask'; readonly targets: readonly Seq[]; readonly gainTokens: number }
  | { readonly kind: 'refused'; readonly reason: string }

/** Within this many requests a batch must save as much as the broken cache costs. */
export const BREAK_EVEN_REQUESTS = 40

/** Usual price ratios, for models without prices: reading the cache costs a tenth of other input, writing it a quarter more. */
const USUAL: Required<Pick<Prices, 'input' | 'cacheRead' | 'cacheWrite'>> = {
  input: 1,
  cacheRead: 0.1,
  cacheWrite: 1.25,
}

/**
 * Chooses the items to mask: first superseded output (a file read or written again, a command run again), then the oldest
 * output and arguments. It plans one batch that frees enough, or none, because each edit breaks the provider's cache.
 */
export function maskPlan(given: MaskInput): MaskPlan {
  const input = { ...given, sizes: given.sizes ?? sizesOf(given.view.items, given.estimator) }
  return maskOf(atOnce(maskCandidates(input)), input)
}

/** An item that can be masked, and the tokens that this frees. */
export type MaskCandidate = { readonly item: Item; readonly index: number; readonly gain: number }

type CandidateInput = Omit<MaskInput, 'needTokens'> & { readonly sizes: Sizes }

/** The items that can be masked, those to mask first at the front. In steps: each one is rendered as it would be masked. */
export function* maskCandidates(input: CandidateInput): Steps<MaskCandidate[]> {
  const items = input.view.items.slice(0, input.cut)
  const pinned = pinnedSteps(input.view, input.cut)
  const { superseded, spared } = yield* usesIn(input.view.items.slice())
  const gains = yield* mapSteps(items, (item, index) =>
    pinned.has(index) || spared.has(item.seq) ? 0 : gainOf(item, tokensAt(input.sizes, index), input),
  )
  const rank = ({ seq }: Item) => (superseded.has(seq) ? 0 : 1)
  return items
    .map((item, index) => ({ item, index, gain: gains[index] ?? 0 }))
    .filter(({ gain }) => gain > 0)
    .toSorted((a, b) => rank(a.item) - rank(b.item) || a.index - b.index)
}

/** The batch that frees enough tokens. */
export function maskOf(candidates: readonly MaskCandidate[], input: CandidateInput & { needTokens: number }): MaskPlan {
  const chosen: MaskCandidate[] = []
  let gain = 0
  for (const candidate of candidates) {
    const goesAlong = input.takesAllOutput === true && candidate.item.message.role === 'tool'
    if (gain >= input.needTokens && !goesAlong) continue
    chosen.push(candidate)
    gain += candidate.gain
  }
  if (gain < input.needTokens)
    return refused(`masking all old tool output would free ${count(gain)} of ${count(input.needTokens)} tokens`)
  const first = chosen.reduce((least, { index }) => Math.min(least, index), Number.POSITIVE_INFINITY)
  const requests = input.cacheCold === true ? 0 : breakEven(input, first, gain)
  if (requests > BREAK_EVEN_REQUESTS) return refused(`the broken cache would pay off only after ${requests} requests`)
  return { kind: 'mask', targets: chosen.map(({ item }) => item.seq).toSorted((a, b) => a - b), gainTokens: gain }
}

function refused(reason: string): MaskPlan {
  return { kind: 'refused', reason }
}

/** The smallest possible gain of a mask: its handle may list all names that fit. */
function gainOf(item: Item, tokens: number, { estimator, nameCharacters = 0, lineCharacters }: CandidateInput): number {
  if (item.kind === 'summary') return 0
  const masked = maskMessage(item.message, item.seq, new HandleNames(nameCharacters, lineCharacters))
  return tokens - messageTokens(masked, estimator)
}

/** The number of requests after which a batch has saved as much as writing the cache again costs. */
function breakEven(
  { view, unreadFrom = view.items.length, prices, sizes }: CandidateInput,
  first: number,
  gain: number,
): number {
  const input = prices?.input || USUAL.input
  const read = (prices?.cacheRead ?? USUAL.cacheRead * input) || USUAL.cacheRead
  const write = prices?.cacheWrite ?? (prices?.cacheRead === undefined ? USUAL.cacheWrite * input : input)
  const rest = Math.max(0, tokensBetween(sizes, first, unreadFrom) - gain)
  return Math.ceil((rest * Math.max(0, write - read)) / (gain * read))
}

type ToolUses = {
  /** The tool messages whose calls were all repeated later: the same file read or written, the same command run. */
  readonly superseded: ReadonlySet<Seq>
  /** The newest ones that show an instruction file, which a record would render again. */
  readonly spared: ReadonlySet<Seq>
}

/** The most characters of instruction files that stay, the newest first. */
const SPARED_CHARACTERS = 16_000

/** The tool messages that later calls have made obsolete: the same file read or written, the same command run. */
export function supersededResults(items: readonly Item[]): ReadonlySet<Seq> {
  return atOnce(usesIn(items)).superseded
}

function* usesIn(items: readonly Item[]): Steps<ToolUses> {
  const lastUse = new Map<string, number>()
  const usesOf = new Map<string, string[]>()
  const instructions = new Set<string>()
  for (const [index, item] of items.entries()) {
    for (const call of callsOf(item.message)) {
      const facts = toolFacts(call)
      const uses = facts.flatMap((fact) =>
        fact.kind === 'command' ? [`$ ${fact.command}`] : 'path' in fact ? [fact.path] : [],
      )
      if (facts.some(readsInstructions)) instructions.add(call.toolCallId)
      usesOf.set(call.toolCallId, uses)
      for (const use of uses) lastUse.set(use, index)
    }
    yield
  }
  const superseded = new Set<Seq>()
  for (const [index, item] of items.entries()) {
    if (item.message.role !== 'tool') continue
    const uses = item.message.content.flatMap((part) =>
      part.type === 'tool-result' ? [usesOf.get(part.toolCallId) ?? []] : [],
    )
    const again = (use: string) => (lastUse.get(use) ?? -1) > index
    if (uses.every((all) => all.length > 0 && all.every(again))) superseded.add(item.seq)
  }
  return { superseded, spared: sparedSeqs(items, instructions, superseded) }
}

function readsInstructions(fact: ToolFact): boolean {
  return fact.kind === 'read' && instructionKind(fact.path) === 'convention'
}

function sparedSeqs(
  items: readonly Item[],
  calls: ReadonlySet<string>,
  superseded: ReadonlySet<Seq>,
): ReadonlySet<Seq> {
  const spared = new Set<Seq>()
  let left = SPARED_CHARACTERS
  for (const { seq, message } of calls.size === 0 ? [] : items.toReversed()) {
    if (superseded.has(seq) || !resultsOf(message).some(({ toolCallId }) => calls.has(toolCallId))) continue
    const characters = resultsOf(message).reduce((sum, { output }) => sum + outputText(output).length, 0)
    if (characters > left) continue
    left -= characters
    spared.add(seq)
  }
  return spared
}
