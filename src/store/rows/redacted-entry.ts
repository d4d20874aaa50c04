import { REDACTED, redactMessage } from '../../engine/context/view/rewrite-message.ts'
import {
  isOfLines,
  REDACTED_SUMMARY,
  saysSomething,
  withoutParts,
  withWords,
} from '../../engine/context/view/summary-item.ts'
import { mergeIndexes, withoutEntries } from '../../model/facts/log-index.ts'
import { comesFrom } from '../../model/facts/merge-facts.ts'
import { callsOf, type Entry, type EntryOf, type IndexDelta, type RecordPart, type Seq } from '../../model/types.ts'
import { type SameText, sameTextAs } from '../search/same-text.ts'

/** The entry without its text. Only a redaction overwrites a row of the store. */
export function redactedEntry(entry: Entry): Entry {
  switch (entry.type) {
    case 'message': {
      const { files: _, shown: __, userWords: ___, calls: ____, raw: _____, ...rest } = entry
      return { ...rest, message: redactMessage(entry.message) }
    }
    case 'compaction': {
      const { flagged: _, focus, ...rest } = entry
      return {
        ...rest,
        summary: REDACTED,
        parts: undefined,
        indexDelta: {},
        focus: focus === undefined ? undefined : REDACTED,
      }
    }
    case 'settings': {
      const { title, policy, origin, compact, prompt, ...rest } = entry
      return {
        ...rest,
        prompt: prompt?.map((section) => ({ ...section, title: REDACTED })),
        compact: compact?.focus === undefined ? compact : { focus: REDACTED },
        origin: origin?.system === undefined ? origin : { ...origin, system: REDACTED },
        title: title === undefined ? undefined : REDACTED,
        policy: policy?.prompt === undefined ? policy : { ...policy, prompt: REDACTED },
      }
    }
    case 'attempt':
    case 'void':
      return { ...entry, reason: REDACTED }
    case 'repair':
      return { ...entry, changes: entry.changes.map((change) => ({ ...change, why: REDACTED })) }
    case 'edit':
      return { ...entry, summary: REDACTED }
    case 'todo':
      return { ...entry, items: entry.items.map((item) => ({ ...item, text: REDACTED })) }
    case 'leave-out':
      return { ...entry, what: undefined }
    default:
      return entry
  }
}

/** A redacted entry, a finder of texts that repeat it, and the ids of its calls. */
export type RedactedRow = { readonly seq: Seq; readonly sameText: SameText; readonly calls: readonly string[] }

/**
 * The condition in SQL for the changes that have a text of their own: the others only name entries. It must be written as in the
 * index `entries_with_text`, because neither database would use the index otherwise.
 */
export const HAS_TEXT = "type NOT IN ('message', 'redact', 'undo', 'pin', 'mask', 'squeeze')"

/** The data to find repetitions of an entry that is about to be redacted. */
export function redactedTextOf(entry: Entry): RedactedRow {
  const calls = entry.type === 'message' ? callsOf(entry.message).map(({ toolCallId }) => toolCallId) : []
  return { seq: entry.seq, sameText: sameTextAs(entry), calls }
}

/** The message after a redacted one, without the redacted calls as the client ran them. Undefined if it has none of them. */
export function withoutCallsOf({ calls: redacted }: RedactedRow, entry: Entry): Entry | undefined {
  if (entry.type !== 'message' || entry.calls === undefined) return undefined
  const calls = entry.calls.filter(({ toolCallId }) => !redacted.includes(toolCallId))
  return calls.length === entry.calls.length ? undefined : { ...entry, calls: calls.length === 0 ? undefined : calls }
}

/** The changes of a log that repeat redacted entries, before and after the repetition is removed. `all` has the compactions that may cover the entries. */
export function withoutTraces(
  redacted: readonly RedactedRow[],
  changes: readonly Entry[],
  all = changes,
): { readonly before: Entry; readonly clean: Entry }[] {
  const compactions = all.filter((entry) => entry.type === 'compaction')
  const redactions = redacted.map((one): Redaction => ({ ...one, covering: coveringCompactions(compactions, one.seq) }))
  return changes.flatMap((before) => {
    // Thousands of entries may be redacted at once, and each is looked for in every record: its text is joined once.
    const recordText = before.type === 'compaction' ? (before.parts ?? []).map(({ text }) => text).join('\n') : ''
    const clean = redactions.reduce((entry, redaction) => withoutTraceOf(redaction, entry, recordText), before)
    return clean === before ? [] : [{ before, clean }]
  })
}

/** The compactions of `covering` have the entry in their span. */
type Redaction = RedactedRow & { readonly covering: ReadonlySet<Seq> }

/** An entry other than a message, without everything that it has from a redacted entry; the same object when it has nothing. */
function withoutTraceOf(redaction: Redaction, entry: Entry, recordText: string): Entry {
  const { isIn } = redaction.sameText
  switch (entry.type) {
    case 'compaction':
      return cleanCompaction(redaction, entry, recordText)
    case 'edit':
      return redaction.covering.has(entry.of) || isIn(entry.summary) ? { ...entry, summary: REDACTED_SUMMARY } : entry
    case 'settings':
      return cleanSettings(redaction.sameText, entry)
    case 'todo':
      return entry.items.some(({ text }) => isIn(text))
        ? { ...entry, items: entry.items.map((item) => (isIn(item.text) ? { ...item, text: REDACTED } : item)) }
        : entry
    case 'attempt':
    case 'void':
      return isIn(entry.reason) ? redactedEntry(entry) : entry
    case 'leave-out':
      return [entry.what?.file, entry.what?.tool].some((name) => name !== undefined && isIn(name))
        ? redactedEntry(entry)
        : entry
    case 'repair':
      return entry.changes.some(({ why }) => isIn(why)) ? redactedEntry(entry) : entry
    default:
      return entry
  }
}

function cleanSettings({ isIn, isTitle, without }: SameText, entry: EntryOf<'settings'>): Entry {
  const { title, policy, origin, compact, prompt } = entry
  const inTitle = title !== undefined && isTitle(title)
  const inPrompt = typeof policy?.prompt === 'string' && isIn(policy.prompt)
  const inSystem = origin?.system !== undefined && isIn(origin.system)
  const inFocus = compact?.focus !== undefined && isIn(compact.focus)
  const inSections = prompt?.some((section) => isIn(section.title)) === true
  if (!inTitle && !inPrompt && !inSystem && !inFocus && !inSections) return entry
  return {
    ...entry,
    ...(inTitle ? { title: REDACTED } : {}),
    ...(inPrompt ? { policy: { ...policy, prompt: REDACTED } } : {}),
    ...(inFocus ? { compact: { focus: REDACTED } } : {}),
    ...(inSections
      ? { prompt: prompt.map((section) => (isIn(section.title) ? { ...section, title: REDACTED } : section)) }
      : {}),
    // The instructions of another agent are long, and their cost is measured: only the repeated words are removed.
    ...(inSystem ? { origin: { ...origin, system: without(origin.system ?? '') } } : {}),
  }
}

/** The compactions whose span has `seq`: their summaries may repeat it. */
function coveringCompactions(compactions: readonly EntryOf<'compaction'>[], seq: Seq): ReadonlySet<Seq> {
  return new Set(compactions.filter((entry) => covers(entry, seq)).map((entry) => entry.seq))
}

function covers({ from, upTo }: EntryOf<'compaction'>, seq: Seq): boolean {
  return from <= seq && seq <= upTo
}

/** The title that a session has after these redactions. */
export function cleanTitle(title: string | undefined, redacted: readonly RedactedRow[]): string | undefined {
  return title !== undefined && redacted.some(({ sameText }) => sameText.isTitle(title)) ? REDACTED : title
}

/**
 * A compaction without what it has from a redacted entry. Of the lines from the log those go that come from the entry or repeat
 * it, and no others; the words of a model or of another agent may repeat anything that they cover.
 */
function cleanCompaction(
  { seq, sameText, covering }: Redaction,
  entry: EntryOf<'compaction'>,
  recordText: string,
): Entry {
  const { frame, rung, summary, parts, flagged, focus, indexDelta } = entry
  const gone = new Set([seq, ...covering])
  const repeats = sameText.isIn(recordText)
  const isGone = (part: RecordPart) =>
    part.from.some((from) => gone.has(from)) || (repeats && saysSomething(part) && sameText.isIn(part.text))
  const words = { rung, summary, parts: parts ?? [] }
  const left = withoutParts(words, isGone)
  const isRepeated =
    !isOfLines(entry) &&
    summary !== REDACTED &&
    summary !== REDACTED_SUMMARY &&
    (covers(entry, seq) || sameText.isIn(summary))
  const isFocus = focus !== undefined && sameText.isIn(focus)
  const facts = factsWithout(indexDelta, gone, sameText)
  if (!isRepeated && !isFocus && left === words && facts === indexDelta) return entry
  return {
    ...entry,
    summary: isRepeated ? REDACTED_SUMMARY : left.summary,
    parts: parts && (isRepeated ? [...withWords(frame, left.parts, REDACTED_SUMMARY)] : [...left.parts]),
    flagged: isRepeated ? undefined : flagged,
    focus: isFocus ? REDACTED : focus,
    indexDelta: facts,
  }
}

/** The facts without those from these entries, and without earlier summaries that repeat one; the same object if there are none. */
function factsWithout(delta: IndexDelta, gone: ReadonlySet<Seq>, { isIn }: SameText): IndexDelta {
  const narratives = delta.narratives?.filter(({ text }) => !isIn(text))
  if (narratives?.length === delta.narratives?.length && !hasFactsOf(delta, gone)) return delta
  return withoutEntries(mergeIndexes([{ ...delta, narratives }]), gone)
}

/** The entries that a fact comes from. */
type Origins = { readonly seq: Seq; readonly call?: Seq; readonly asked?: Seq }

function hasFactsOf(delta: IndexDelta, gone: ReadonlySet<Seq>): boolean {
  if (delta.changes?.some((change) => comesFrom(change, gone))) return true
  const isGone = ({ seq, call = -1, asked = -1 }: Origins) => gone.has(seq) || gone.has(call) || gone.has(asked)
  return Object.values(delta).some((kind) => Array.isArray(kind) && (kind as readonly Origins[]).some(isGone))
}
