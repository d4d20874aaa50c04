import {
  callsOf,
  type Item,
  isLeftOutLine,
  isUserMessage,
  type LeftOutTarget,
  resultsOf,
  type Seq,
  type ToolCallPart,
} from '../../model/types.ts'
import { tokensAt, tokensBetween } from '../../tokens/sizes.ts'
import type { Context } from '../context/context.ts'
import { toolFacts } from '../extract/calls/tool-facts.ts'
import type { KeptPart, KeptReason } from '../report/leave-out-text.ts'
import {
  callsKeepTheirResults,
  legalAtOrAfter,
  legalAtOrBefore,
  legalCuts,
  reasoningStaysWithItsStep,
} from './cut-rules.ts'
import { supersededResults } from './mask.ts'

/** The parts of a view that can be left out: messages from one place to another, a turn, the results of a tool, or those about a file. */
export type LeaveOutSelector =
  | ({ readonly kind: 'range' } & PlaceRange)
  | { readonly kind: 'turn'; readonly of: Seq }
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'file'; readonly file: string }
  /** The results of calls that were repeated later. */
  | { readonly kind: 'superseded' }
  /** Several parts, or those of an earlier wish. */
  | { readonly kind: 'targets'; readonly targets: readonly LeftOutTarget[]; readonly what?: LeftOutName }

/** The tool or the file whose results are left out. */
export type LeftOutName = { readonly tool?: string; readonly file?: string }

type PlaceRange = { readonly from: Seq; readonly upTo: Seq }

/** The parts to leave out, the index of the first item that changes, and the items that were named but have to stay. */
export type FoundTargets = {
  readonly targets: readonly LeftOutTarget[]
  /** The number of messages or results. */
  readonly parts: number
  readonly first: number | undefined
  readonly kept: readonly KeptPart[]
}

/** Why the item at an index has to stay; undefined if it may be left out. */
export type Stays = (index: number) => KeptReason | undefined

/** The parts that a selector names. */
export function leaveOutTargets(context: Context, selector: LeaveOutSelector, stays: Stays): FoundTargets {
  switch (selector.kind) {
    case 'range':
      return rangeTargets(context, [selector], stays)
    case 'turn':
      return rangeTargets(context, [turnAround(context.view.items.slice(), selector.of)], stays)
    case 'tool':
      return resultTargets(context, ({ toolName }) => toolName === selector.tool, stays)
    case 'file':
      return resultTargets(context, (call) => namesFile(call, selector.file), stays)
    case 'superseded':
      return supersededTargets(context, stays)
    case 'targets':
      return foundAgain(context, selector.targets, stays)
  }
}

/** The part nearest to the named one that may be left out; for a selector without a place the largest. */
export function nearestTarget(context: Context, selector: LeaveOutSelector, stays: Stays): LeftOutTarget | undefined {
  const all = rangeTargets(context, [{ from: 0, upTo: Number.POSITIVE_INFINITY }], stays).targets
  const named = selector.kind === 'turn' ? { from: selector.of, upTo: selector.of } : selector
  const rank = ({ from, upTo, tokens }: LeftOutTarget) =>
    'from' in named ? Math.max(0, from - named.upTo, named.from - upTo) : -tokens
  return all.filter(({ tokens }) => tokens >= LEAST_TOKENS).toSorted((a, b) => rank(a) - rank(b))[0]
}

/** A smaller part is not worth a line. */
export const LEAST_TOKENS = 200

/** The superseded results that the view still shows. */
function supersededTargets(context: Context, stays: Stays): FoundTargets {
  const items = context.view.items.slice()
  const superseded = supersededResults(items)
  const calls = new Set(
    items.flatMap((item) =>
      superseded.has(item.seq) && item.kind === 'message' && item.leftOut === undefined
        ? resultsOf(item.message).map(({ toolCallId }) => toolCallId)
        : [],
    ),
  )
  return resultTargets(context, ({ toolCallId }) => calls.has(toolCallId), stays)
}

/** The targets as they can be left out now: messages of a wish may have been pinned or compacted since. */
function foundAgain(context: Context, targets: readonly LeftOutTarget[], stays: Stays): FoundTargets {
  const calls = new Set(targets.flatMap((target) => target.calls ?? []))
  return together([
    // Two ranges may name parts of one step, which is left out once.
    rangeTargets(
      context,
      targets.filter((target) => target.calls === undefined),
      stays,
    ),
    resultTargets(context, ({ toolCallId }) => calls.has(toolCallId), stays),
  ])
}

function together(all: readonly FoundTargets[]): FoundTargets {
  return {
    targets: all.flatMap(({ targets }) => targets),
    parts: all.reduce((sum, { parts }) => sum + parts, 0),
    first: all.flatMap(({ first }) => first ?? []).toSorted((a, b) => a - b)[0],
    kept: all.flatMap(({ kept }) => kept),
  }
}

/** Whole messages. A range is extended to whole steps, and split by what has to stay. */
function rangeTargets(context: Context, ranges: readonly PlaceRange[], stays: Stays): FoundTargets {
  const { view, sizes } = context
  const items = view.items.slice()
  const steps = stepsIn(context, ranges)
  const kept = new KeptParts()
  const runs: Step[] = []
  for (const step of steps) {
    const named = items.slice(step.from, step.to)
    const why = named.map((_, i) => stays(step.from + i)).find((reason) => reason !== undefined)
    const last = runs.at(-1)
    if (why !== undefined)
      kept.add(
        named.map(({ seq }) => seq),
        why,
      )
    else if (last?.to === step.from) runs[runs.length - 1] = { from: last.from, to: step.to }
    else runs.push(step)
  }
  const targets = runs.map(({ from, to }) => {
    const places = items.slice(from, to).map(coveredPlaces)
    return {
      from: places.reduce((least, place) => Math.min(least, place.from), Number.POSITIVE_INFINITY),
      upTo: places.reduce((most, place) => Math.max(most, place.upTo), 0),
      tokens: tokensBetween(sizes, from, to),
    }
  })
  const parts = runs.flatMap(({ from, to }) => items.slice(from, to)).reduce((sum, item) => sum + messagesIn(item), 0)
  return { targets, parts, first: runs[0]?.from, kept: kept.all }
}

/** Items that only leave the view together: from this index up to the other, which is not one of them. */
type Step = { readonly from: number; readonly to: number }

/** The steps with an item in one of the ranges. */
function stepsIn({ view }: Context, ranges: readonly PlaceRange[]): Step[] {
  const legal = legalCuts(view, [callsKeepTheirResults, reasoningStaysWithItsStep])
  const steps: Step[] = []
  for (const [index, item] of view.items.slice().entries()) {
    const places = coveredPlaces(item)
    const isNamed = ranges.some(({ from, upTo }) => from <= places.upTo && places.from <= upTo)
    if (!isNamed || index < (steps.at(-1)?.to ?? 0)) continue
    steps.push({ from: legalAtOrBefore(legal, index), to: legalAtOrAfter(legal, index + 1, view.items.length) })
  }
  return steps
}

class KeptParts {
  readonly all: { readonly seqs: Seq[]; readonly why: KeptReason }[] = []

  add(seqs: readonly Seq[], why: KeptReason): void {
    const last = this.all.at(-1)
    if (last?.why === why) last.seqs.push(...seqs)
    else this.all.push({ seqs: [...seqs], why })
  }
}

/** The places that an item covers: a line about messages that were left out covers several. */
export function coveredPlaces(item: Item): PlaceRange {
  if (!isLeftOutLine(item)) return { from: item.place, upTo: item.place }
  return { from: item.leftOut.items[0]?.place ?? item.place, upTo: item.place }
}

function messagesIn(item: Item): number {
  return isLeftOutLine(item) ? item.leftOut.items.length : 1
}

/** The places of a turn: from the user's message at or before this place up to the next one. */
function turnAround(items: readonly Item[], of: Seq): PlaceRange {
  const start = items.findLastIndex((item) => isUserMessage(item) && item.place <= of)
  const next = items.findIndex((item, index) => index > start && isUserMessage(item))
  const last = items[(next === -1 ? items.length : next) - 1]
  return { from: items[Math.max(0, start)]?.place ?? of, upTo: last?.place ?? of }
}

/** The results of calls. The calls stay. */
function resultTargets(context: Context, isNamed: (call: ToolCallPart) => boolean, stays: Stays): FoundTargets {
  const named = new Set<string>()
  const kept = new KeptParts()
  const targets: (LeftOutTarget & { readonly calls: string[] })[] = []
  let first: number | undefined
  for (const [index, item] of context.view.items.slice().entries()) {
    for (const call of callsOf(item.message)) if (isNamed(call)) named.add(call.toolCallId)
    const calls = resultsOf(item.message).flatMap(({ toolCallId }) => (named.has(toolCallId) ? [toolCallId] : []))
    if (calls.length === 0) continue
    const why = stays(index)
    if (why !== undefined) {
      kept.add([item.seq], why)
      continue
    }
    targets.push({ from: item.place, upTo: item.place, calls, tokens: tokensAt(context.sizes, index) })
    first ??= index
  }
  return { targets, parts: targets.reduce((sum, { calls }) => sum + calls.length, 0), first, kept: kept.all }
}

/** True for a call that names this file. The end of a path is enough: agents write some paths whole, some from the project. */
function namesFile(call: ToolCallPart, file: string): boolean {
  return toolFacts(call).some((fact) => 'path' in fact && (fact.path === file || fact.path.endsWith(`/${file}`)))
}
