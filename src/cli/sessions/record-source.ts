import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { dataFolder } from '../../config/index.ts'
import { hasSeal, type RecordSeal, recordPlace } from '../../engine/record/record-place.ts'
import { type Entry, type Seq, textOf } from '../../model/types.ts'
import { isGap } from '../../session/import/gap.ts'
import type { WholeLog } from '../../session/search/search-session.ts'
import { redactedTexts } from '../../store/search/redacted-texts.ts'
import { knownSeal, ownSeal } from '../process/own-seal.ts'
import { type Setup, withStoreToRead } from '../setup/setup.ts'
import { openPlace, placeName, type SessionSource, sourcePlaceSchema } from './session-source.ts'

/**
 * The source of a record that was written into a file: `#12` in the record is entry 12 of that session. It is noted on this
 * machine under the record's seal, because the file may be shared and must not name a path.
 */
const recordSourceSchema = z.object({
  seal: z.string(),
  place: sourcePlaceSchema,
  /** The last entry of the source that its record replaces. Those after it are in the file, under other handles. */
  replacedTo: z.number(),
  /** The last entry of the source that was read. The record may name entries of the tail, too. */
  upTo: z.number(),
  /** A hash of the messages up to there. */
  hash: z.string(),
})
type RecordSource = z.infer<typeof recordSourceSchema>

/** Seals the records of a file that is made from a session. `keep` notes their source, for the log that was written. */
export function sealFrom(source: SessionSource): {
  readonly seal: RecordSeal | undefined
  readonly keep: (log: readonly Entry[]) => void
} {
  const own = ownSeal()
  const made: string[] = []
  const sign = (text: string, by: RecordSeal) => {
    const seal = by.sign(text)
    made.push(seal)
    return seal
  }
  return {
    seal: own && { ...own, sign: (text) => sign(text, own) },
    keep: (log) => {
      const { place, session } = source
      if (place === undefined || made.length === 0) return
      const upTo = sharedUpTo(session.entries, log)
      const replacedTo = log.findLast((entry) => entry.type === 'compaction')?.upTo ?? upTo
      const hash = messagesHash(session.entries, upTo)
      const lines = made.map((seal): RecordSource => ({ seal, place, replacedTo, upTo, hash }))
      try {
        appendFileSync(notesPath(dataFolder()), lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
          mode: 0o600,
        })
      } catch {
        // The file is written. Only the handles before its record cannot be looked up.
      }
    },
  }
}

/** A file that was made from a file that was made from a file: no chain is longer. */
const MOST_SOURCES = 20

type SourceWish = {
  readonly setup: Setup
  /** To be searched, each message must be in the log once. A handle may also name a message of the tail in the source. */
  readonly to: 'search' | 'read'
  /** The only owner whose stored sessions are read; of all, if absent. */
  readonly owner?: string
}

/** A log that begins with our record, together with the entries that the record was made from. */
export async function withRecordSource(
  log: readonly Entry[],
  wish: SourceWish,
  depth = MOST_SOURCES,
): Promise<WholeLog> {
  const record = log.find((entry) => entry.type === 'compaction' || entry.type === 'message')
  const seal = record && sealIn(record)
  const entries = log.filter((entry) => !isGap(entry))
  if (record === undefined || seal === undefined || depth === 0) return { entries }
  const noted = notesIn(wish.setup.folders.data).filter((note) => note.seal === seal)
  let missing: string | undefined
  for (const source of noted.toReversed()) {
    const read = await readSource(source, wish)
    if (typeof read === 'string') missing ??= `The entries before #${record.seq} were in ${read}`
    else {
      const upTo = Math.min(wish.to === 'search' ? source.replacedTo : source.upTo, record.seq - 1)
      const covered = read.filter(({ seq }) => seq <= upTo)
      const before = await withRecordSource(covered, wish, depth - 1)
      return { ...before, entries: [...before.entries, ...ownEntries(log, record, before.entries)] }
    }
  }
  return { entries, missing }
}

/** The entries from the record on. What the record covers is now in the log, so that a search need not find the record. */
function ownEntries(log: readonly Entry[], record: Entry, before: readonly Entry[]): Entry[] {
  const messages = before.filter(({ type }) => type === 'message').length
  return log.flatMap((entry) => {
    if (entry.seq < record.seq) return []
    return entry === record && entry.type === 'compaction' ? [{ ...entry, messages }] : [entry]
  })
}

/** The entries of a source; its name and why, if they are not those that the record was made from. */
async function readSource(
  { place, upTo, hash }: RecordSource,
  { setup, owner }: SourceWish,
): Promise<readonly Entry[] | string> {
  const source = await openPlace(place, setup).catch(() => undefined)
  const isReadable = source !== undefined && (await isOf(owner, source, setup))
  if (!isReadable) return `${placeName(place)}, which is no longer there`
  const { entries } = source.session
  // A redaction changes a stored session, and nothing else does.
  const isSame = place.kind === 'stored' || messagesHash(entries, upTo) === hash
  return isSame ? redactedTexts(setup.folders.data).hidden(entries) : `${placeName(place)}, which has changed since`
}

async function isOf(owner: string | undefined, { id }: SessionSource, setup: Setup): Promise<boolean> {
  if (owner === undefined || id === undefined) return true
  return withStoreToRead(setup, async (store) => (await store.session(id))?.owner === owner)
}

/** The seal of a record of this installation; undefined for every other text. */
function sealIn(entry: Entry): string | undefined {
  const text = entry.type === 'compaction' ? entry.summary : entry.type === 'message' ? textOf(entry.message) : ''
  const place = recordPlace(text)
  return place !== undefined && hasSeal(place.sealed, place.seal, knownSeal()) ? place.seal : undefined
}

/** The last entry up to which a log has those of its source. After it, a compaction or other numbers follow. */
function sharedUpTo(source: readonly Entry[], log: readonly Entry[]): Seq {
  const end = source.findIndex((entry, i) => !isSameEntry(entry, log[i]))
  return source.at(end === -1 ? -1 : end - 1)?.seq ?? 0
}

function isSameEntry(a: Entry, b: Entry | undefined): boolean {
  if (a.seq !== b?.seq || a.type !== b.type) return false
  return a.type !== 'message' || (b.type === 'message' && a.message === b.message)
}

/** Without the last message, which its agent may still have been writing. */
function messagesHash(entries: readonly Entry[], upTo: Seq): string {
  const hash = createHash('sha256')
  for (const entry of entries) {
    if (entry.type === 'message' && entry.seq < upTo) hash.update(`${entry.seq}${JSON.stringify(entry.message)}\n`)
  }
  return hash.digest('base64url').slice(0, 24)
}

function notesPath(folder: string): string {
  return join(folder, 'record-sources')
}

function notesIn(folder: string): RecordSource[] {
  try {
    const lines = readFileSync(notesPath(folder), 'utf8').split('\n').slice(0, -1)
    return lines.flatMap((line) => noteOf(line) ?? [])
  } catch {
    return []
  }
}

function noteOf(line: string): RecordSource | undefined {
  try {
    return recordSourceSchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
