import { KNOWN_SOURCE } from '../../engine/extract/text/clients.ts'
import { readEntry } from '../../model/entry.ts'
import { PithError } from '../../model/problems/errors.ts'
import { callsOf, type Entry } from '../../model/types.ts'
import type { FormatReader, LineReader } from '../shared/format.ts'
import { text, wholeNumber } from '../shared/json.ts'
import { SessionBuilder } from '../shared/log-builder.ts'

/** Reads our own export: the session's row, then its log. The entries must be in order. */
export const readPith: FormatReader = { lines: exportLines }

function exportLines(): LineReader {
  const session = new SessionBuilder(KNOWN_SOURCE)
  const { log, facts } = session
  return {
    read(line, number) {
      if (line.type === 'session') {
        facts.sessionId = text(line.id)
        facts.workspace = text(line.workspace)
        facts.title = text(line.title)
        facts.startedAt = wholeNumber(line.createdAt)
        return
      }
      const entry = entryIn(line)
      if (entry === undefined) return log.issue(number, 'the line is no entry of a log')
      if (entry.seq <= (log.entries.at(-1)?.seq ?? 0))
        return log.issue(number, `the entry ${entry.seq} is out of order`)
      add(session, entry)
    },
    finish() {
      return session
    },
  }
}

function entryIn(line: unknown): Entry | undefined {
  try {
    return readEntry(line)
  } catch (error) {
    if (error instanceof PithError) return undefined
    throw error
  }
}

function add({ log, facts }: SessionBuilder, entry: Entry): void {
  log.entries.push(entry)
  if (entry.type === 'message') {
    log.recordedMessages++
    log.recordedCalls += callsOf(entry.message).length
    if (entry.model !== undefined) log.noteModel(entry.model)
  }
  if (entry.type === 'settings') {
    facts.title = entry.title ?? facts.title
    if (entry.origin?.system !== undefined) log.system.splice(0, log.system.length, entry.origin.system)
  }
  if (entry.type !== 'compaction') return
  const { seq, summary, tokensBefore, reason } = entry
  log.compactions.push({ seq, summary, tokensBefore, trigger: reason === 'manual' ? 'manual' : 'auto' })
}
