import { indexOf, mergeIndexes } from '../../model/facts/log-index.ts'
import { atOnce, mapSteps, type Steps } from '../../model/steps.ts'
import {
  type Index,
  type IndexDelta,
  type Item,
  isUserMessage,
  type MessageItem,
  type NarrativeFact,
  type SummaryItem,
} from '../../model/types.ts'
import type { Context } from '../context/context.ts'
import { factsSteps, type ViewFacts } from '../context/open-context.ts'
import { type ReplacedRange, replacedAt } from '../context/view/replaced-range.ts'
import { type FactFinder, factsInSteps, indexDelta } from '../extract/index-delta.ts'
import { instructionPaths, shownInstructions } from '../extract/instructions/instruction-facts.ts'
import type { ItemFacts, KnownFacts } from '../extract/item-facts.ts'
import { openCallsAfter } from '../extract/item-facts.ts'
import { checkKind } from '../extract/ledger/command-kind.ts'
import { messageFacts } from '../extract/message-facts.ts'
import { keptIndexes } from '../plan/kept-items.ts'
import type { ValuedLine } from '../record/lines/line.ts'
import { recordLines } from '../record/record-lines.ts'
import { PLAIN_RECORD_AUTHOR, readOwnRecord } from '../record/record-place.ts'
import type { CompactState } from './compact-state.ts'

/** The items that leave a view, and the facts that they add to the index. */
export type RemovedSpan = {
  readonly range: ReplacedRange
  readonly items: readonly Item[]
  /** The items before the cut that stay verbatim. */
  readonly kept: readonly Item[]
  readonly facts: IndexDelta
  /** Facts about its files and its checks that the items after it show. */
  readonly since: IndexDelta | undefined
  /** These facts, and those of the summaries among the items. */
  readonly index: Index
  /** All that a record may say of them, found once. */
  readonly linesFor: (isDigest: boolean, most: number) => readonly ValuedLine[]
}

/** The items that leave the view at a cut; `steps` finds them in steps. */
export type Removing = ((cut: number) => RemovedSpan) & { readonly steps: (cut: number) => Steps<RemovedSpan> }

/** Returns a function for the items that leave the view at a cut. Every rung calls it, so it remembers the last cut. */
export function removing(
  context: Pick<Context, 'view' | 'policy' | 'facts'>,
  own?: FactFinder,
  /** Removes secrets from an item. */
  redacted: (item: Item) => Item = (item) => item,
): Removing {
  let known: { readonly cut: number; readonly span: RemovedSpan } | undefined
  // A plan with another cut needs the facts of nearly the same items.
  let { facts } = context
  function* steps(cut: number): Steps<RemovedSpan> {
    if (known?.cut !== cut) {
      facts = yield* factsSteps(facts, context.view.items, cut, { changes: false })
      known = { cut, span: yield* removedSteps({ ...context, facts }, cut, redacted, own) }
    }
    return known.span
  }
  return Object.assign((cut: number) => atOnce(steps(cut)), { steps })
}

function* removedSteps(
  { view, policy, facts: known }: Pick<Context, 'view' | 'policy' | 'facts'>,
  cut: number,
  redacted: (item: Item) => Item,
  own: FactFinder | undefined,
): Steps<RemovedSpan> {
  const keptAt = keptIndexes(view, cut, policy)
  const kept = keptAt.flatMap((index) => view.items.at(index) ?? [])
  const replaced = replacedAt(view, cut, kept)
  const items = yield* mapSteps(replaced.items, redacted)
  const isWhole = (i: number) => items[i] === replaced.items[i]
  const found = yield* factsInSteps(items, own, knownFacts(known, cut, keptAt, isWhole))
  const stay = kept.map(redacted)
  const facts = withRequest({ ...found, ...narrativesIn(items) }, stay)
  const tail = yield* mapSteps(view.items.slice(cut), redacted)
  const knownTail = tail.map((item, i) => (item === view.items.at(cut + i) ? known.found.at(cut + i) : undefined))
  const since = factsSince(facts, items, stay, tail, knownTail)
  yield
  let index: Index | undefined
  const lines = new Map<string, readonly ValuedLine[]>()
  return {
    range: replaced.range,
    items,
    kept,
    facts,
    since,
    get index() {
      index ??= indexWith(items, facts, since)
      return index
    },
    linesFor(isDigest, most) {
      const known = lines.get(`${isDigest} ${most}`)
      if (known !== undefined) return known
      const found = recordLines({ index: this.index, items, shown: replaced.range.keep, most, isDigest })
      lines.set(`${isDigest} ${most}`, found)
      return found
    },
  }
}

/**
 * The facts about the files and checks of a span that the items after it show: a commit or a test run may have come after the
 * cut, or a command of the span may have ended there, and the record would say that it never happened. They are facts of the next span, so they are stored apart.
 */
function factsSince(
  facts: IndexDelta,
  span: readonly Item[],
  kept: readonly Item[],
  tail: readonly Item[],
  knownTail: KnownFacts,
): IndexDelta | undefined {
  const later = indexDelta(tail, knownTail, openCallsAfter(span))
  const { files = [], commands = [], commits = [], git = [], ...after } = later
  const instructions = instructionPaths(facts.instructionFiles ?? [], span)
  const beside = instructions.size === 0 ? [] : (indexDelta(kept).instructionFiles ?? [])
  const changed = new Set((facts.files ?? []).flatMap(({ path, access }) => (access === 'read' ? [] : [path])))
  const ran = new Set((facts.commands ?? []).map(({ command }) => command))
  const kinds = {
    // A folder that was reverted or deleted takes the files in it along.
    files: files.filter(
      ({ path, access }) =>
        access === 'reverted' ||
        access === 'deleted' ||
        (access === 'modified' && (changed.has(path) || instructions.has(path))),
    ),
    commands: commands.filter(({ command }) => ran.has(command) || checkKind(command) !== undefined),
    commits,
    git,
    instructionFiles: shownInstructions([...beside, ...(after.instructionFiles ?? [])], instructions),
  }
  const some = Object.entries(kinds).filter(([, found]) => found.length > 0)
  return some.length === 0 ? undefined : Object.fromEntries(some)
}

/** The known facts of the items before a cut, without those that stay. If redacting changed an item, its facts must be found again. */
function knownFacts(
  found: ViewFacts,
  cut: number,
  kept: readonly number[],
  isWhole: (i: number) => boolean,
): KnownFacts {
  const stay = new Set(kept)
  const known: (ItemFacts | undefined)[] = []
  for (let at = 0; at < cut; at++) if (!stay.has(at)) known.push(isWhole(known.length) ? found.found.at(at) : undefined)
  return known
}

/** All facts up to the end of a span. */
function indexWith(items: readonly Item[], facts: IndexDelta, since: IndexDelta | undefined): Index {
  const earlier = items.flatMap((item) => (item.kind === 'summary' ? [item.index] : []))
  if (earlier.length === 0 && since === undefined) return indexOf(facts)
  return mergeIndexes([...earlier, facts, ...(since === undefined ? [] : [since])])
}

/** The current request stays verbatim. The record names it anyway, because a record may be read without the tail. */
function withRequest(facts: IndexDelta, kept: readonly Item[]): IndexDelta {
  const asked = kept.findLast((item): item is MessageItem => isUserMessage(item))
  const { users = [] } = asked === undefined ? {} : messageFacts(asked)
  return users.length === 0 ? facts : { ...facts, users: [...(facts.users ?? []), ...users] }
}

/** The summaries among the items that a model, the user or another agent wrote. A record of ours without its data is one, too. */
function narrativesIn(items: readonly Item[]): IndexDelta {
  const narratives = items.flatMap((item) => (item.kind === 'summary' ? narrativeOf(item) : []))
  return narratives.length === 0 ? {} : { narratives }
}

function narrativeOf({ seq, text, by, written, frame }: SummaryItem): NarrativeFact[] {
  if (!written || text.trim() === '') return []
  const own = frame === 'keen' ? readOwnRecord(text) : undefined
  if (own === undefined) return [{ seq, text, ...(by === undefined ? {} : { by }) }]
  // With its data, all that it says is in the index.
  return by === PLAIN_RECORD_AUTHOR ? [{ seq, text: own.text, by }] : []
}

/**
 * Finds the facts of a span, as every rung except masking needs them. Without pauses nothing else in the process could run
 * meanwhile, so nobody could cancel.
 */
export function* spanSteps({ removed }: CompactState, cut: number): Steps<RemovedSpan> {
  const span = yield* removed.steps(cut)
  // Merged on first use.
  void span.index
  yield
  return span
}
