import { inactiveSeqs } from '../../engine/context/view/activity.ts'
import { isInRange, putBackIn, replacedBy } from '../../engine/context/view/replaced-range.ts'
import { viewOf } from '../../engine/context/view/view-of.ts'
import { isFrame } from '../../engine/extract/calls/exit-status.ts'
import { typedIn } from '../../engine/extract/text/typed-words.ts'
import { legalCuts } from '../../engine/plan/cut-rules.ts'
import { stepAround } from '../../engine/plan/kept-items.ts'
import { openFailures } from '../../engine/record/lines/state-lines.ts'
import { serialize } from '../../engine/record/serialize.ts'
import { itemNames } from '../../engine/report/item-names.ts'
import type { LossReason } from '../../engine/report/loss-text.ts'
import { oneLine } from '../../model/text.ts'
import {
  callsOf,
  type Entry,
  type EntryOf,
  type Item,
  type LeftOutTarget,
  type Message,
  type Seq,
  type View,
} from '../../model/types.ts'
import { readHandles, type SeqRange } from '../../search/handles.ts'
import { type Estimator, messageTokens } from '../../tokens/estimate/estimator.ts'
import {
  type GoneItem,
  namesWritten,
  type SpanFacts,
  shownText,
  spanFacts,
  toolUseKey,
  toolUsesOf,
} from './span-facts.ts'

/** A message that a compaction removed from the view, and that neither its record nor its tail has. */
export type LostMessage = {
  readonly seq: Seq
  readonly role: Message['role']
  /** A path, a command, or its first words. */
  readonly name: string
  readonly tokens: number
  readonly firstLine: string
  /** The strongest first. */
  readonly reasons: readonly LossReason[]
  /** How likely it matters, compared with the others. */
  readonly score: number
  /** The earlier compaction, mask or squeeze that had already removed or shortened it. */
  readonly since?: Seq
  /** The entries that cannot be separated: a call and its results. */
  readonly step: readonly Seq[]
  readonly stepTokens: number
}

export type LossInput = {
  /** The whole log, with all messages. */
  readonly log: readonly Entry[]
  readonly compaction: EntryOf<'compaction'>
  /** The record as the model reads it. */
  readonly record: string
  readonly estimator: Estimator
}

/** The messages that a compaction lost: first those that the session needed again, then those that may matter. Only the log decides: no model is asked. */
export function lostMessages({ log, compaction, record, estimator }: LossInput): LostMessage[] {
  const full = fullView(log)
  const items = full.items.slice()
  const isGone = goneCheck(log, compaction)
  const before = items.filter(({ seq }) => seq < compaction.seq)
  const after = items.filter(({ seq }) => seq > compaction.seq)
  const kept = before.filter((item) => !isGone(item)).map(({ message }) => serialize(message, WHOLE))
  const facts = spanFacts(before, after, isGone, shownText([record, ...kept]))
  const reasons = lossReasons(facts)
  const describe = describer(full, items, estimator)
  const earlier = earlierReductions(log, compaction)
  const leftOut = leftOutBefore(log, compaction)
  return facts.gone
    .filter(({ item }) => !leftOut.some((range) => isInRange(range, item.seq)))
    .filter((one) => !isCovered(one, facts, reasons.get(one.item.seq) ?? []))
    .map((one, i, all) => {
      const { seq } = one.item
      const own = (reasons.get(seq) ?? []).toSorted((a, b) => reasonWeight(b) - reasonWeight(a))
      const score = own.reduce((sum, reason) => sum + reasonWeight(reason), 0) + (RECENT * (i + 1)) / all.length
      const since = earlier.find((one) => isReducedBy(one, seq))?.seq
      return { ...describe(one), reasons: own, score, ...(since === undefined ? {} : { since }) }
    })
    .toSorted((a, b) => Number(comesFirst(b)) - Number(comesFirst(a)) || b.score - a.score || b.seq - a.seq)
}

/** True for what the session needed again after the compaction, and for what the user demanded: everything else is a guess. */
function comesFirst({ reasons }: Pick<LostMessage, 'reasons'>): boolean {
  return reasons.some(
    ({ kind }) => kind === 'demand' || kind === 'used' || kind === 'read-again' || kind === 'recalled',
  )
}

const WHOLE = { cutCharacters: 0 }
/** Of two messages with the same reasons, the newer one is more likely to matter. */
const RECENT = 40

/** All messages, as if nothing had ever been removed from the view. */
function fullView(log: readonly Entry[]): View {
  return viewOf(log.filter(({ type }) => type === 'message' || type === 'repair'))
}

/** Returns a test for items that the compaction removed and no entry has put back. Redacted messages do not count as lost. */
function goneCheck(log: readonly Entry[], compaction: EntryOf<'compaction'>): (item: Item) => boolean {
  const stays = new Set<Seq>()
  for (const entry of log) if (entry.type === 'redact') stays.add(entry.target)
  for (const seq of putBackIn(log, inactiveSeqs(log)).keys()) stays.add(seq)
  const isOut = replacedBy(compaction, (seq) => stays.has(seq))
  return ({ seq, message }) => isOut(seq) && message.role !== 'system'
}

/** The ranges that the user had left out when the compaction was made: it has not lost them. */
function leftOutBefore(log: readonly Entry[], { seq }: EntryOf<'compaction'>): readonly LeftOutTarget[] {
  const inactive = inactiveSeqs(log)
  return log.flatMap((entry) => {
    if (entry.type !== 'leave-out' || entry.waits === true || entry.seq > seq || inactive.has(entry.seq)) return []
    return entry.targets.filter(({ calls }) => calls === undefined)
  })
}

type Reduction = EntryOf<'compaction' | 'mask' | 'squeeze'>

function earlierReductions(log: readonly Entry[], { seq }: EntryOf<'compaction'>): Reduction[] {
  const inactive = inactiveSeqs(log)
  return log
    .filter((entry) => entry.type === 'compaction' || entry.type === 'mask' || entry.type === 'squeeze')
    .filter((one) => one.seq < seq && !inactive.has(one.seq))
}

function isReducedBy(reduction: Reduction, seq: Seq): boolean {
  if (reduction.type === 'mask') return reduction.targets.includes(seq)
  if (reduction.squeezes?.some(({ target }) => target === seq) === true) return true
  return reduction.type === 'compaction' && replacedBy(reduction)(seq)
}

/** True if the record or the tail has all of it: a quotation, or a short call or result with all of its names. */
function isCovered(
  { item, text, words, names }: GoneItem,
  { shown }: SpanFacts,
  reasons: readonly LossReason[],
): boolean {
  if (text.trim() === '') return true
  if (item.message.role === 'user') return !reasons.some(({ kind }) => kind === 'user' || kind === 'names')
  if (names.length > 0 || reasons.some(({ kind }) => kind === 'failure')) return false
  return words.trim() === '' ? text.length <= SHORT_CHARACTERS : shown.has(words) === 'all'
}

const SHORT_CHARACTERS = 400

type MessageDescription = Omit<LostMessage, 'reasons' | 'score' | 'since'>

const NAME_CHARACTERS = 200
const LINE_CHARACTERS = 160

function describer(view: View, items: readonly Item[], estimator: Estimator): (one: GoneItem) => MessageDescription {
  const names = itemNames(items, NAME_CHARACTERS)
  const places = new Map(items.map((item, i) => [item, i]))
  const legal = legalCuts(view)
  return ({ item, text }) => {
    const place = places.get(item) ?? 0
    const { from, to } = stepAround(place, items.length, legal)
    const step = items.slice(from, to)
    return {
      seq: item.seq,
      role: item.message.role,
      name: names[place] ?? '',
      tokens: messageTokens(item.message, estimator),
      firstLine: oneLine(firstLineOf(text), LINE_CHARACTERS),
      step: [...new Set(step.map(({ seq }) => seq))],
      stepTokens: step.reduce((sum, { message }) => sum + messageTokens(message, estimator), 0),
    }
  }
}

/** The first meaningful line: agents add lines around the output of a command. */
function firstLineOf(text: string): string {
  const lines = text.slice(0, LOOKED_AT).split('\n')
  return lines.find((line) => line.trim() !== '' && !isFrame(line.trim())) ?? ''
}

const LOOKED_AT = 4_000

/**
 * More names than these say nothing more: a long answer in JSON has hundreds that nobody needs. Chosen on recorded sessions,
 * where the first ten messages of a list made without looking ahead have what came back about as often as without a limit.
 */
const COUNTED_NAMES = 32

/** The weight of a reason, to order messages that all came back or all did not. */
function reasonWeight(reason: LossReason): number {
  switch (reason.kind) {
    case 'demand':
      return 130
    case 'user':
      return (30 + Math.min(40, reason.characters / 4)) / (reason.missing === 'all' ? 1 : 2)
    case 'failure':
      return 45
    case 'recalled':
      return 110
    case 'read-again':
      return 80
    case 'used':
      return 12 + 8 * Math.min(reason.names.length, 8)
    case 'change':
      return reason.isCommitted ? 12 : 30
    case 'newest':
      return 12
    case 'answer':
      return reason.isLast ? 22 : 6
    case 'names':
      return 7 * Math.log2(1 + Math.min(reason.count, COUNTED_NAMES))
    case 'outdated':
      return -25
  }
}

type Sign = readonly [Seq, LossReason]

/** All reasons, by the message that they are about. */
function lossReasons(facts: SpanFacts): ReadonlyMap<Seq, readonly LossReason[]> {
  const reasons = new Map<Seq, LossReason[]>()
  for (const sign of SIGNS) {
    for (const [seq, reason] of sign(facts)) reasons.set(seq, [...(reasons.get(seq) ?? []), reason])
  }
  return reasons
}

/** Each finds one kind of reason. */
const SIGNS: readonly ((facts: SpanFacts) => readonly Sign[])[] = [
  demands,
  usersWords,
  recalledLater,
  usedLater,
  failures,
  changes,
  toolUses,
  answers,
  namesOnlyHere,
]

function demands({ known: { index }, shown }: SpanFacts): Sign[] {
  const lost = index.constraints.filter(({ text }) => shown.has(text) === 'nothing')
  return [...new Set(lost.map(({ seq }) => seq))].map((seq) => [seq, { kind: 'demand' }])
}

/** Text that a program wrote in the user role does not count as the user's words. */
function usersWords({ gone, shown }: SpanFacts): Sign[] {
  return gone.flatMap(({ item }): Sign[] => {
    const typed = typedIn(item)
    const has = typed.trim() === '' ? 'all' : shown.has(typed)
    const missing = has === 'beginning' ? 'rest' : 'all'
    return has === 'all' ? [] : [[item.seq, { kind: 'user', missing, characters: typed.length }]]
  })
}

/**
 * A name counts for the newest message that has it: putting back an older one would be useless. A name that many
 * messages have, such as JSON.stringify, says nothing about any of them.
 */
function usedLater({ gone, after, shown }: SpanFacts): Sign[] {
  const times = new Map<string, number>()
  for (const { names } of gone) for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  const most = Math.max(FEW_MESSAGES, gone.length * FEW_SHARE)
  const later = namesWritten(after)
  for (const name of later.keys()) if (shown.hasName(name) || (times.get(name) ?? 0) > most) later.delete(name)
  return gone.toReversed().flatMap(({ item, names }): Sign[] => {
    const used = names.filter((name) => later.has(name))
    const by = Math.min(...used.map((name) => later.get(name) ?? 0))
    for (const name of used) later.delete(name)
    return used.length === 0 ? [] : [[item.seq, { kind: 'used', names: used, by }]]
  })
}

const FEW_MESSAGES = 3
const FEW_SHARE = 0.05

/** The messages whose handles the agent gave to the tool `recall`, whichever server it comes from. */
function recalledLater({ gone, after }: SpanFacts): Sign[] {
  const asked = after.flatMap(({ seq, message }) =>
    callsOf(message).flatMap(({ toolName, input }) =>
      recalledIn(toolName, input).map((range) => ({ ...range, by: seq })),
    ),
  )
  return gone.flatMap(({ item: { seq } }): Sign[] => {
    const first = asked.find(({ from, upTo }) => from <= seq && seq <= upTo)
    return first === undefined ? [] : [[seq, { kind: 'recalled', by: first.by }]]
  })
}

function recalledIn(toolName: string, input: unknown): readonly SeqRange[] {
  if (!RECALL_TOOL.test(toolName) || typeof input !== 'object' || input === null) return []
  // The handles of another session name other messages.
  if (!('handles' in input) || typeof input.handles !== 'string' || 'session' in input) return []
  try {
    return readHandles(input.handles)
  } catch {
    // A model may write anything: such a call has recalled nothing.
    return []
  }
}

const RECALL_TOOL = /(?:^|[^a-z])recall$/i

function failures({ known, shown }: SpanFacts): Sign[] {
  return openFailures(known.failures)
    .filter(({ text }) => shown.has(text) === 'nothing')
    .map(({ seq }) => [seq, { kind: 'failure' }])
}

function changes({ known, answered }: SpanFacts): Sign[] {
  const callOf = new Map(answered.map(({ item, seq }) => [item.seq, seq]))
  return known.ledger.files
    .filter(({ state }) => state === 'created' || state === 'edited')
    .map(({ path, seq, standing }) => [
      callOf.get(seq) ?? seq,
      { kind: 'change', path, isCommitted: standing === 'committed' || standing === 'unchanged' },
    ])
}

/**
 * Files that were read, the newest time of each, and whether the agent read them again after the compaction; and files and
 * commands that a later one before the compaction has replaced.
 */
function toolUses({ answered, after, known: { index } }: SpanFacts): Sign[] {
  const newest = new Map<string, Seq>()
  for (const { call, item } of answered) for (const use of toolUsesOf(call)) newest.set(toolUseKey(use), item.seq)
  const again = new Map<string, Seq>()
  for (const { seq, message } of after.toReversed())
    for (const use of callsOf(message).flatMap(toolUsesOf)) again.set(toolUseKey(use), seq)
  const changed = new Map(index.files.map(({ path, modified = 0 }) => [path, modified]))
  return answered.flatMap(({ call, item: { seq } }) =>
    toolUsesOf(call).flatMap((use): Sign[] => {
      const { how, what } = use
      const by = Math.max(newest.get(toolUseKey(use)) ?? 0, how === 'read' ? (changed.get(what) ?? 0) : 0)
      if (by > seq) return [[seq, { kind: 'outdated', by }]]
      if (how !== 'read') return []
      const next = again.get(toolUseKey(use))
      return [[seq, next === undefined ? { kind: 'newest', path: what } : { kind: 'read-again', path: what, by: next }]]
    }),
  )
}

/** The agent's words that the record does not quote. */
function answers({ gone, shown, turns }: SpanFacts): Sign[] {
  return gone.flatMap(({ item, words }, i): Sign[] => {
    if (item.message.role !== 'assistant' || words.trim() === '' || shown.has(words) !== 'nothing') return []
    const next = gone[i + 1]?.item
    const isLast = next === undefined || turns.has(next.seq)
    return [[item.seq, { kind: 'answer', isLast }]]
  })
}

function namesOnlyHere({ gone }: SpanFacts): Sign[] {
  return gone.flatMap(({ item, names }): Sign[] =>
    names.length === 0 ? [] : [[item.seq, { kind: 'names', names: names.slice(0, NAMED), count: names.length }]],
  )
}

const NAMED = 4
