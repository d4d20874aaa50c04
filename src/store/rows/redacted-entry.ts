import { REDACTED, redactMessage } from '../../engine/context/view/rewrite-message.ts'
import { REDACTED_SUMMARY } from '../../engine/context/view/summary-item.ts'
import { mergeIndexes, withoutEntries } from '../../model/facts/log-index.ts'
import { comesFrom } from '../../model/facts/merge-facts.ts'
import { callsOf, type Entry, type EntryOf, type Seq } from '../../model/types.ts'
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
        indexDelta: {},
        since: undefined,
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
    const clean = redactions.reduce((entry, redaction) => withoutTraceOf(redaction, entry), before)
    return clean === before ? [] : [{ before, clean }]
  })
}

/** The compactions of `covering` have the entry in their span. */
type Redaction = RedactedRow & { readonly covering: ReadonlySet<Seq> }

/** An entry other than a message, without everything that it has from a redacted entry; the same object when it has nothing. */
function withoutTraceOf(redaction: Redaction, entry: Entry): Entry {
  const { isIn } = redaction.sameText
  switch (entry.type) {
    case 'compaction':
      return cleanCompaction(redaction, entry)
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

function cleanCompaction({ seq, sameText }: Redaction, entry: EntryOf<'compaction'>): Entry {
  const { indexDelta, since, summary, flagged, focus } = entry
  const isRepeated =
    summary !== REDACTED && summary !== REDACTED_SUMMARY && (covers(entry, seq) || sameText.isIn(summary))
  const isFocus = focus !== undefined && sameText.isIn(focus)
  if (!isRepeated && !isFocus && !hasFactsOf(entry, seq)) return entry
  return {
    ...entry,
    ...(isRepeated ? { summary: REDACTED_SUMMARY } : {}),
    flagged: isRepeated ? undefined : flagged,
    focus: isFocus ? REDACTED : focus,
    indexDelta: withoutEntries(mergeIndexes([indexDelta]), new Set([seq])),
    since: since === undefined ? undefined : withoutEntries(mergeIndexes([since]), new Set([seq])),
  }
}

function hasFactsOf({ indexDelta, since = {} }: EntryOf<'compaction'>, seq: Seq): boolean {
  if (indexDelta.changes?.some((change) => comesFrom(change, seq))) return true
  return [...Object.values(indexDelta), ...Object.values(since)].some(
    (kind) =>
      Array.isArray(kind) &&
      (kind as readonly { seq: Seq; call?: Seq }[]).some((fact) => fact.seq === seq || fact.call === seq),
  )
}
