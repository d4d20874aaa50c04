import { CLIENTS } from '../../engine/extract/text/clients.ts'
import type { AssistantPart, Entry, Message, Seq, ToolResultContent, Usage, UserPart } from '../../model/types.ts'
import { callPart, contentOfParts, imagePart, outputOf, resultFile, withExit } from '../shared/content-parts.ts'
import type { FormatReader, LineReader } from '../shared/format.ts'
import { type Fields, fields, objects, parsed, text, time, wholeNumber } from '../shared/json.ts'
import { type MessageFacts, SessionBuilder } from '../shared/log-builder.ts'
import { RECORD_FIELD } from '../shared/own-record.ts'
import { activeRows, type TreeRow } from '../shared/parent-chain.ts'
import { NOT_OF_USER } from '../shared/user-words.ts'
import { maskIn } from './mask-entry.ts'

/** Reads a session of pi, versions 1 to 3: a tree from version 2 on, of which the last entry is the active leaf. */
export const readPi: FormatReader = { lines: entryLines }

function entryLines(): LineReader {
  const session = new SessionBuilder(CLIENTS.pi)
  const rows: TreeRow[] = []
  const byId = new Map<string, TreeRow>()
  let version = 1
  return {
    read(entry, number) {
      if (entry.type === 'session') {
        version = readHeader(session, entry)
        return
      }
      countRecorded(session, entry)
      // Version 1 has no ids: an entry is named by its position, as in its compactions.
      const id = text(entry.id) ?? `#${rows.length + 1}`
      if (byId.has(id)) return session.log.issue(number, `the id ${id} is used twice; the first one counts`)
      const parent = version < 2 ? rows.at(-1)?.id : text(entry.parentId)
      const row = { id, parent, line: number, entry }
      rows.push(row)
      byId.set(id, row)
    },
    finish() {
      const branch = activeRows(rows, byId, session.log)
      session.leaveOut(rows, branch)
      writeBranch(session, branch)
      return session
    },
  }
}

/** A branch of a session as pi has it in memory, and the entry of the log that each of its entries became. */
type PiBranch = { readonly log: readonly Entry[]; readonly seqs: ReadonlyMap<string, Seq> }

/** Reads the entries of one branch, the oldest first. The seqs are the same as when the file is read. */
export function readPiBranch(entries: readonly Fields[]): PiBranch {
  const session = new SessionBuilder(CLIENTS.pi)
  const rows = entries.map((entry, i) => ({ id: String(entry.id), parent: text(entry.parentId), line: i + 2, entry }))
  const seqs = writeBranch(session, rows)
  return { log: session.log.entries, seqs }
}

function writeBranch(session: SessionBuilder, rows: readonly TreeRow[]): ReadonlyMap<string, Seq> {
  const seqs = new Map<string, Seq>()
  const branch = withContextEdits(rows)
  for (const row of branch) write(session, row, seqs, branch)
  return seqs
}

function readHeader({ facts }: SessionBuilder, entry: Fields): number {
  facts.sessionId ??= text(entry.id)
  facts.workspace ??= text(entry.cwd)
  facts.startedAt ??= time(entry.timestamp)
  facts.forkedFrom ??= text(entry.parentSession) ?? text(entry.branchedFrom)
  const version = wholeNumber(entry.version) ?? 1
  facts.version ??= String(version)
  return version
}

function countRecorded({ log }: SessionBuilder, entry: Fields): void {
  if (entry.type !== 'message') return
  log.recordedMessages++
  log.recordedCalls += objects(fields(entry.message)?.content).filter((block) => block.type === 'toolCall').length
}

function write(
  session: SessionBuilder,
  { id, entry }: TreeRow,
  seqs: Map<string, Seq>,
  branch: readonly TreeRow[],
): void {
  const { log, facts } = session
  const at = time(entry.timestamp)
  const note = (seq: Seq | undefined) => {
    if (seq !== undefined) seqs.set(id, seq)
  }
  switch (entry.type) {
    case 'message': {
      const message = fields(entry.message) ?? {}
      if (message.stopReason === 'error') session.refused(text(message.errorMessage))
      const sent = piMessage(message)
      if (sent !== undefined) note(log.say(sent, { at, ...modelOf(message), ...speakerOf(message) }))
      return
    }
    case 'custom_message':
      return note(log.say(userRoleMessage(entry.content), { at, ...NOT_OF_USER }))
    case 'branch_summary':
      return note(log.say({ role: 'user', content: branchText(text(entry.summary) ?? '') }, { at, ...NOT_OF_USER }))
    case 'compaction':
      return compact(session, entry, keptFrom(entry, branch, seqs), at)
    case 'custom': {
      const { targets, ...characters } = maskIn(entry) ?? { targets: [] }
      return log.mask(
        targets.flatMap((target) => seqs.get(target) ?? []),
        characters,
      )
    }
    case 'session_info':
      facts.title = text(entry.name) ?? facts.title
  }
}

function compact({ log }: SessionBuilder, entry: Fields, keep: Seq[], at: number | undefined): void {
  const summary = text(entry.summary) ?? ''
  log.compact({
    by: 'pi',
    summary,
    shown: summaryText(summary),
    field: fields(entry.details)?.[RECORD_FIELD],
    keep,
    tokensBefore: wholeNumber(entry.tokensBefore),
    at,
  })
}

/** pi keeps all entries from the first kept one to the compaction. */
function keptFrom(entry: Fields, branch: readonly TreeRow[], seqs: ReadonlyMap<string, Seq>): Seq[] {
  const index = wholeNumber(entry.firstKeptEntryIndex)
  const first = text(entry.firstKeptEntryId) ?? (index === undefined ? undefined : `#${index}`)
  const from = branch.findIndex((row) => row.id === first)
  return from === -1 ? [] : branch.slice(from).flatMap((row) => seqs.get(row.id) ?? [])
}

/** pi sends commands, summaries and texts of extensions in the user's role; only its own role `user` is the user. */
function speakerOf({ role }: Fields): Pick<MessageFacts, 'userWords'> {
  return role === 'user' || role === 'assistant' || role === 'toolResult' ? {} : NOT_OF_USER
}

function modelOf(message: Fields): { model?: string; usage?: Usage } {
  if (message.role !== 'assistant') return {}
  const name = text(message.model)
  const provider = text(message.provider)
  const model = name === undefined || provider === undefined ? name : `${provider}/${name}`
  return { model, usage: usageOf(fields(message.usage)) }
}

function usageOf(usage: Fields | undefined): Usage | undefined {
  const input = wholeNumber(usage?.input)
  if (usage === undefined || input === undefined) return undefined
  const cacheReadTokens = wholeNumber(usage.cacheRead) ?? 0
  const cacheWriteTokens = wholeNumber(usage.cacheWrite) ?? 0
  const inputTokens = input + cacheReadTokens + cacheWriteTokens
  return inputTokens === 0
    ? undefined
    : { inputTokens, outputTokens: wholeNumber(usage.output) ?? 0, cacheReadTokens, cacheWriteTokens }
}

/**
 * The rows of a branch as the model sees them. Newer versions change an earlier entry for the model with a later `context_edit`,
 * and keep its line. The last edit of an entry counts; an entry that was edited away has no content.
 */
function withContextEdits(branch: readonly TreeRow[]): TreeRow[] {
  const edits = new Map(
    branch.flatMap(({ entry }) =>
      entry.type === 'context_edit' ? [[String(entry.targetId), fields(entry.replacement)?.content] as const] : [],
    ),
  )
  return branch.map((row) => (edits.has(row.id) ? edited(row, edits.get(row.id)) : row))
}

function edited(row: TreeRow, content: unknown): TreeRow {
  if (content === undefined) return { ...row, entry: {} }
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const message = fields(row.entry.message)
  const changed = message === undefined ? { content: blocks } : { message: { ...message, content: blocks } }
  return { ...row, entry: { ...row.entry, ...changed } }
}

/** The message that pi sends to the model for one of its own; undefined for those that it never sends. */
export function piMessage(message: Fields): Message | undefined {
  switch (message.role) {
    case 'user':
    case 'custom':
    case 'hookMessage':
      return userRoleMessage(message.content)
    case 'assistant':
      // pi does not send answers that broke off.
      return message.stopReason === 'error' || message.stopReason === 'aborted'
        ? undefined
        : { role: 'assistant', content: objects(message.content).flatMap((block) => assistantPart(block, message)) }
    case 'toolResult':
      return toolMessage(message)
    case 'bashExecution':
      return message.excludeFromContext === true ? undefined : { role: 'user', content: bashText(message) }
    case 'branchSummary':
      return { role: 'user', content: branchText(text(message.summary) ?? '') }
    case 'compactionSummary':
      return { role: 'user', content: summaryText(text(message.summary) ?? '') }
    default:
      return undefined
  }
}

/** The summary of a compaction as pi shows it to the model. */
function summaryText(summary: string): string {
  return `${SUMMARY_OPENING}${summary}${SUMMARY_CLOSING}`
}

/** The summary in the text that pi shows to the model. */
export function summaryIn(shown: string): string {
  return shown.startsWith(SUMMARY_OPENING) && shown.endsWith(SUMMARY_CLOSING)
    ? shown.slice(SUMMARY_OPENING.length, -SUMMARY_CLOSING.length)
    : shown
}

/** The summary of an abandoned branch as pi shows it to the model. */
function branchText(summary: string): string {
  return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${summary}</summary>`
}

/** A message in the user's role, from a text or blocks. */
function userRoleMessage(content: unknown): Message {
  if (typeof content === 'string') return { role: 'user', content }
  const parts = objects(content).flatMap((block): UserPart[] => {
    if (block.type === 'text') return [{ type: 'text', text: String(block.text ?? '') }]
    return block.type === 'image' ? [imagePart(imageSource(block))] : []
  })
  return { role: 'user', content: contentOfParts(parts) }
}

const SUMMARY_OPENING =
  'The conversation history before this point was compacted into the following summary:\n\n<summary>\n'
const SUMMARY_CLOSING = '\n</summary>'

function toolMessage(message: Fields): Message {
  // A command that ended with another status than 0 is an error for pi.
  const failed = message.isError === true
  const contents = objects(message.content).map(
    (block): ToolResultContent =>
      block.type === 'image' ? resultFile(imageSource(block)) : { type: 'text', text: String(block.text ?? '') },
  )
  return {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: String(message.toolCallId ?? ''),
        toolName: text(message.toolName) ?? 'unknown',
        output: withExit(outputOf(contents, failed), 'pi', message.toolName === 'bash' && !failed ? 0 : undefined),
      },
    ],
  }
}

function imageSource(block: Fields): { kind: 'data'; data: string; mediaType: string } {
  return { kind: 'data', data: String(block.data ?? ''), mediaType: text(block.mimeType) ?? 'image/png' }
}

function assistantPart(block: Fields, { api }: Fields): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return text(block.text) === undefined ? [] : [{ type: 'text', text: String(block.text) }]
    case 'thinking':
      return [reasoning(String(block.thinking ?? ''), text(block.thinkingSignature), String(api))]
    case 'toolCall':
      return [callPart(block.id, block.name, block.arguments)]
    default:
      return []
  }
}

/** `signature` is the provider's signature, in the form in which pi stores it. */
function reasoning(words: string, signature: string | undefined, api: string): AssistantPart {
  if (signature === undefined) return { type: 'reasoning', text: words }
  if (api.startsWith('anthropic'))
    return { type: 'reasoning', text: words, providerOptions: { anthropic: { signature } } }
  const item = api.startsWith('openai') ? fields(parsed(signature)) : undefined
  const pi = { signature }
  if (item === undefined) return { type: 'reasoning', text: words, providerOptions: { pi } }
  const openai = { itemId: text(item.id), reasoningEncryptedContent: text(item.encrypted_content) }
  return { type: 'reasoning', text: words, providerOptions: { pi, openai } }
}

function bashText(message: Fields): string {
  const output = text(message.output)
  const exit = message.exitCode
  const ending =
    message.cancelled === true
      ? '\n\n(command cancelled)'
      : typeof exit === 'number' && exit !== 0
        ? `\n\nCommand exited with code ${exit}`
        : ''
  const full = text(message.fullOutputPath)
  const note = message.truncated === true && full !== undefined ? `\n\n[Output truncated. Full output: ${full}]` : ''
  return `Ran \`${text(message.command) ?? ''}\`\n${output === undefined ? '(no output)' : `\`\`\`\n${output}\n\`\`\``}${ending}${note}`
}
