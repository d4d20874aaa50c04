import { AFTER_RECORD, BESIDE_RECORD, RECORD_CLOSING, RECORD_START } from './prompts/record-texts.ts'

/** A record of ours as the whole of a text, but for the frame that a client puts around its summaries. */
export type RecordPlace = {
  /** The text between the record's marks. */
  readonly inner: string
  /** The text after the record that belongs to it. */
  readonly behind: string
  /** The text that a seal is of, and the seal. */
  readonly sealed: string
  readonly seal: string | undefined
}

/**
 * The record that a text consists of. A summary that only quotes a record, out of a file for instance, is not one: around a
 * record may be nothing but what a client puts around every summary.
 */
export function recordPlace(given: string): RecordPlace | undefined {
  const text = given.replaceAll('\r\n', '\n')
  const from = text.indexOf(RECORD_START)
  if (from === -1 || !BEFORE.test(text.slice(0, from).trim())) return undefined
  const own = text.slice(from)
  const [opening, mark] = OPENED.exec(own) ?? []
  const end = mark === undefined ? -1 : own.indexOf(`\n</${mark}>`)
  if (opening === undefined || end === -1) return undefined
  const closed = own.slice(end + `\n</${mark}>`.length).trimStart()
  if (!closed.startsWith(CLOSING)) return undefined
  const rest = closed.slice(closed.indexOf('\n') === -1 ? closed.length : closed.indexOf('\n'))
  // The text after the record may quote another seal: ours is the last, and only the frame comes after it.
  const last = [...rest.matchAll(SEAL)].at(-1)
  const seal = last !== undefined && AFTER.test(rest.slice(last.index + last[0].length).trim()) ? last : undefined
  const behind = (seal === undefined ? behindIn(rest) : rest.slice(0, seal.index)).trim()
  const frame = seal === undefined ? rest.trimStart().slice(behind.length) : rest.slice(seal.index + seal[0].length)
  if (!(behind === '' || isAfterRecord(behind)) || !AFTER.test(frame.trim())) return undefined
  return {
    inner: own.slice(opening.length, end),
    behind,
    sealed: own.slice(0, own.length - rest.length) + rest.slice(0, seal?.index),
    seal: seal?.[1],
  }
}

/** False for nearly all texts, at little cost. */
export function mayBeRecord(text: string): boolean {
  return text.includes(RECORD_START)
}

const OPENED = /^[^\n]*\n+<(record-[0-9a-f]{1,16})>\n/
const CLOSING = RECORD_CLOSING.slice(0, 21)
const SEAL = /\n\[pith-seal:([\w-]{1,100})\]/g

/** A record of the gateway has no seal: what came after it goes up to the gateway's mark. */
function behindIn(rest: string): string {
  const text = rest.trim()
  if (!isAfterRecord(text)) return ''
  const mark = text.lastIndexOf('\n[pith-record:')
  return mark === -1 ? text : text.slice(0, mark)
}

function isAfterRecord(text: string): boolean {
  return [BESIDE_RECORD, AFTER_RECORD].some((words) => text.startsWith(words))
}

/** Claude Code, Codex, pi, Gemini CLI and qwen-code, and Copilot CLI before a summary. */
const BEFORE = new RegExp(
  [
    '^(?:',
    String.raw`|This session is being continued[^\n]*(?:\n+Summary:)?`,
    String.raw`|Another language model started to solve this problem[^\n]*`,
    String.raw`|The conversation history before this point was compacted into the following summary:\s*<summary>`,
    String.raw`|(?:<state_snapshot>|<summary>)`,
    String.raw`|Some of the conversation history has been summarized to free up context\.[\s\S]*Here is a summary of the prior context:\s*<summary>`,
    ')$',
  ].join(''),
)

/** The gateway's own mark, and what Claude Code, pi, Gemini CLI and qwen-code say after a summary. */
const AFTER = new RegExp(
  [
    String.raw`^(?:\[pith-record:[^\]\n]*\])?\s*(?:</state_snapshot>|</summary>)?\s*`,
    '(?:(?:If you need specific details from before compaction|Recent messages are preserved verbatim',
    String.raw`|Please continue the conversation|Continue the conversation from where)[^\n]*\s*)*$`,
  ].join(''),
)

/** Signs a text for one installation, and checks a signature. The key stays with the caller. */
export type RecordSeal = {
  readonly sign: (text: string) => string
  readonly isSigned: (text: string, seal: string) => boolean
}

/** A record that this installation can know again, whatever file it comes back in. Without a seal it is as it was. */
export function withSeal(record: string, seal: RecordSeal | undefined): string {
  return seal === undefined ? record : `${record}\n\n[pith-seal:${seal.sign(signedText(record))}]`
}

/** True for a text that this installation has sealed. */
export function hasSeal(text: string, mark: string | undefined, seal: RecordSeal | undefined): boolean {
  return mark !== undefined && seal?.isSigned(signedText(text), mark) === true
}

/** Clients trim summaries and shorten the empty lines in them. Where a line ends is signed: a line has a meaning of its own. */
function signedText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** A record of ours without its data: its text as it is, and the last entry of its log that it names. */
export type PlainRecord = { readonly text: string; readonly lastSeq: number }

/** Reads a record that came back. It is text of ours, and is never taken apart: only the handles in it stay valid. */
export function readOwnRecord(given: string): PlainRecord | undefined {
  const place = mayBeRecord(given) ? recordPlace(given) : undefined
  if (place === undefined) return undefined
  const handles = [...place.inner.matchAll(HANDLE)].map(([, seq]) => Number(seq))
  return { text: [place.inner, place.behind].join('\n').trim(), lastSeq: handles.reduce((a, b) => Math.max(a, b), 0) }
}

/** A number that is no handle only leaves some handles unused. */
const HANDLE = /#(\d{1,5})\b/g

/** The author of a record that came back without its data. */
export const PLAIN_RECORD_AUTHOR = 'Pith, without its data'
