import { createHmac } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installationKey, knownKey } from '../../config/places/installation-key.ts'
import type { Entry } from '../../model/types.ts'
import { forgetPages } from '../memory-pages.ts'
import { redactedEntry } from '../rows/redacted-entry.ts'
import { marksInEntry, marksInText, redactedMarks } from './same-text.ts'

/**
 * Remembers that these entries were redacted, as hashes with the key of this installation. The files of other agents may
 * repeat them, and Pith never writes to those.
 */
export function rememberRedacted(folder: string, entries: readonly Entry[]): void {
  const marks = new Set(entries.flatMap(redactedMarks))
  if (marks.size === 0) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const key = installationKey(folder)
  const lines = [...marks].map((mark) => `${hashOf(mark, key)}\n`)
  forgetPages(folder)
  appendFileSync(fileIn(folder), lines.join(''), { mode: 0o600, flush: true })
}

/** The redacted texts of this machine. */
export type RedactedTexts = {
  /** How many there are: what was indexed with fewer of them may repeat one. */
  readonly count: number
  /** True if an entry repeats a redacted text, or a word of one that looks like a secret. */
  readonly isIn: (entry: Entry) => boolean
  readonly isInText: (text: string) => boolean
  /** The entries, with a marker instead of the texts of those that repeat one. */
  readonly hidden: (entries: readonly Entry[]) => readonly Entry[]
}

export function redactedTexts(folder: string): RedactedTexts {
  const [hashes, key] = [hashesIn(folder), knownKey(folder)]
  const isAny = (marks: () => readonly string[]) =>
    key !== undefined && hashes.size > 0 && marks().some((mark) => hashes.has(hashOf(mark, key)))
  const isIn = (entry: Entry) => isAny(() => marksInEntry(entry))
  return {
    count: hashes.size,
    isIn,
    isInText: (text) => isAny(() => marksInText(text)),
    hidden: (entries) =>
      hashes.size === 0 ? entries : entries.map((entry) => (isIn(entry) ? redactedEntry(entry) : entry)),
  }
}

function hashesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readFileSync(fileIn(folder), 'utf8').split('\n').slice(0, -1))
  } catch {
    return new Set()
  }
}

function fileIn(folder: string): string {
  return join(folder, 'redacted-texts')
}

function hashOf(mark: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(`redacted-text\0${mark}`).digest('base64url').slice(0, 24)
}
