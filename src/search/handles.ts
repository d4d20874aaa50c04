import { PithError } from '../model/problems/errors.ts'
import type { Seq } from '../model/types.ts'

/** Entries by their handles, all bounds included. */
export type SeqRange = { readonly from: Seq; readonly upTo: Seq }

const HANDLE = /^#?(\d{1,15})(?:(?:-|–|\.\.)#?(\d{1,15}))?$/

/** Handles as people write them: `#12`, `12`, `#12, #15-#20, 31`, `#12..20`. */
export function readHandles(what: string): readonly SeqRange[] {
  const words = wordsOf(what)
  const bad = words.find((word) => !HANDLE.test(word))
  if (bad !== undefined || words.length === 0) {
    throw new PithError('bad-argument', `\`${bad ?? what}\` is not a handle: write #12, or #12-#20 for a range`)
  }
  return words.map((word) => {
    const [, first, last = first] = HANDLE.exec(word) ?? []
    return { from: Math.min(Number(first), Number(last)), upTo: Math.max(Number(first), Number(last)) }
  })
}

/**
 * True for a text that names entries, also with a mistake in it (`#12-`); all other texts are searched for. A number alone is a
 * text unless `#` is before it.
 */
export function areHandles(text: string): boolean {
  // In `11111111#2` a session is named, too.
  return /#\d/.test(text) && !/\d#/.test(text) && wordsOf(text).every((word) => /^[#\d.–-]+$/.test(word))
}

/** Handles of one session that name it, too, as a memory writes them: `c8453209#12`, `c8453209#12-#20`. */
export function namedHandles(text: string): { readonly session: string; readonly handles: string } | undefined {
  const [, session, handles] = /^\s*([\w][\w.:-]{3,80})(#\d[\s\S]*)$/.exec(text) ?? []
  if (session === undefined || handles === undefined || !areHandles(handles)) return undefined
  return { session, handles }
}

function wordsOf(text: string): string[] {
  return text
    .replace(/\s*(-|–|\.\.)\s*/g, '$1')
    .split(/[\s,;]+|\band\b/)
    .filter((word) => word !== '')
}

/** An entry that a store has and that cannot be read. */
export type DamagedEntry = { readonly seq: Seq; readonly reason: string }

/** A line about the handles that no entry has, and one for each damaged entry among them; none if all could be read. */
export function missingText(
  handles: string,
  entries: readonly { readonly seq: Seq }[],
  damaged: readonly DamagedEntry[] = [],
): string[] {
  const seqs = [...entries, ...damaged].map(({ seq }) => seq)
  const missing = readHandles(handles).filter(({ from, upTo }) => seqs.every((seq) => seq < from || upTo < seq))
  const names = missing.map(({ from, upTo }) => (from === upTo ? `#${from}` : `#${from}-#${upTo}`))
  const none = names.length === 0 ? [] : [`There is no entry ${names.join(', ')}.`]
  return [...none, ...damaged.map(({ seq, reason }) => `Entry #${seq} is damaged and cannot be read (${reason}).`)]
}

/** True if one of the ranges has this entry. */
export function hasSeq(ranges: readonly SeqRange[], seq: Seq): boolean {
  return ranges.some(({ from, upTo }) => from <= seq && seq <= upTo)
}
