import type { Seq } from '../../model/ids.ts'
import type { Usage } from '../../model/usage.ts'
import { Draft, type LineReader } from '../codec.ts'
import { count, type Fields, fields, objects, text, time } from '../json.ts'
import { branchText, messageOf, summaryText, userMessage } from './messages.ts'

type Row = { readonly id: string; readonly parent: string | undefined; readonly line: number; readonly entry: Fields }

/** Reads a session of pi, versions 1 to 3: a tree from version 2 on, of which the last entry is the active leaf. */
export function piReader(): LineReader {
  const draft = new Draft()
  const rows: Row[] = []
  const byId = new Map<string, Row>()
  let version = 1
  return {
    read(entry, number) {
      if (entry.type === 'session') {
        version = readHeader(draft, entry)
        return
      }
      countRecorded(draft, entry)
      // Version 1 has no ids: an entry is named by its place, as its compactions do.
      const id = text(entry.id) ?? `#${rows.length + 1}`
      if (byId.has(id)) return draft.log.issue(number, `the id ${id} is used twice; the first one counts`)
      const parent = version < 2 ? rows.at(-1)?.id : text(entry.parentId)
      const row = { id, parent, line: number, entry }
      rows.push(row)
      byId.set(id, row)
    },
    finish() {
      const seqs = new Map<string, Seq>()
      const branch = branchOf(rows, byId, draft)
      for (const row of branch) write(draft, row, seqs, branch)
      return draft
    },
  }
}

function readHeader({ facts }: Draft, entry: Fields): number {
  facts.sessionId ??= text(entry.id)
  facts.workspace ??= text(entry.cwd)
  facts.startedAt ??= time(entry.timestamp)
  facts.forkedFrom ??= text(entry.parentSession) ?? text(entry.branchedFrom)
  const version = count(entry.version) ?? 1
  facts.version ??= String(version)
  return version
}

function countRecorded({ log }: Draft, entry: Fields): void {
  if (entry.type !== 'message') return
  log.recordedMessages++
  log.recordedCalls += objects(fields(entry.message)?.content).filter((block) => block.type === 'toolCall').length
}

function branchOf(rows: readonly Row[], byId: ReadonlyMap<string, Row>, { log }: Draft): Row[] {
  const branch = new Set<Row>()
  const places = new Map(rows.map((row, i) => [row, i]))
  for (let row = rows.at(-1); row !== undefined; ) {
    if (branch.has(row)) {
      log.issue(row.line, `the chain of parents goes in a circle through ${row.id}`)
      break
    }
    branch.add(row)
    if (row.parent === undefined) break
    const parent = byId.get(row.parent)
    if (parent === undefined)
      log.issue(row.line, `its parent ${row.parent} is not in the file; what stands before it is taken for it`)
    row = parent ?? rows[(places.get(row) ?? 0) - 1]
  }
  return [...branch].reverse()
}

function write(draft: Draft, { id, entry }: Row, seqs: Map<string, Seq>, branch: readonly Row[]): void {
  const { log, facts } = draft
  const at = time(entry.timestamp)
  const said = at === undefined ? {} : { at }
  const note = (seq: Seq | undefined) => {
    if (seq !== undefined) seqs.set(id, seq)
  }
  switch (entry.type) {
    case 'message': {
      const message = fields(entry.message) ?? {}
      const sent = messageOf(message)
      if (sent !== undefined) note(log.say(sent, { ...said, ...modelOf(message) }))
      return
    }
    case 'custom_message':
      return note(log.say(userMessage(entry.content), said))
    case 'branch_summary':
      return note(log.say({ role: 'user', content: branchText(text(entry.summary) ?? '') }, said))
    case 'compaction':
      return compact(draft, entry, keptFrom(entry, branch, seqs), said)
    case 'session_info':
      facts.title = text(entry.name) ?? facts.title
  }
}

function compact({ log }: Draft, entry: Fields, keep: Seq[], said: { at?: number }): void {
  const summary = text(entry.summary) ?? ''
  const tokensBefore = count(entry.tokensBefore)
  log.compact({
    summary,
    shown: summaryText(summary),
    keep,
    ...(tokensBefore === undefined ? {} : { tokensBefore }),
    ...said,
  })
}

/** What pi keeps: all from the first kept entry to the compaction. */
function keptFrom(entry: Fields, branch: readonly Row[], seqs: ReadonlyMap<string, Seq>): Seq[] {
  const index = count(entry.firstKeptEntryIndex)
  const first = text(entry.firstKeptEntryId) ?? (index === undefined ? undefined : `#${index}`)
  const from = branch.findIndex((row) => row.id === first)
  return from === -1 ? [] : branch.slice(from).flatMap((row) => seqs.get(row.id) ?? [])
}

function modelOf(message: Fields): { model?: string; usage?: Usage } {
  if (message.role !== 'assistant') return {}
  const name = text(message.model)
  const provider = text(message.provider)
  const usage = usageOf(fields(message.usage))
  return {
    ...(name === undefined ? {} : { model: provider === undefined ? name : `${provider}/${name}` }),
    ...(usage === undefined ? {} : { usage }),
  }
}

function usageOf(usage: Fields | undefined): Usage | undefined {
  const input = count(usage?.input)
  if (usage === undefined || input === undefined) return undefined
  const cacheReadTokens = count(usage.cacheRead) ?? 0
  const cacheWriteTokens = count(usage.cacheWrite) ?? 0
  const inputTokens = input + cacheReadTokens + cacheWriteTokens
  return inputTokens === 0
    ? undefined
    : { inputTokens, outputTokens: count(usage.output) ?? 0, cacheReadTokens, cacheWriteTokens }
}
