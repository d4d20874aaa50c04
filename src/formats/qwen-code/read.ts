import { CLIENTS } from '../../engine/extract/text/clients.ts'
import { callsOf, type Message, resultsOf, type Seq, textOf, type Usage } from '../../model/types.ts'
import { contentOfParts } from '../shared/content-parts.ts'
import type { FormatReader, LineReader } from '../shared/format.ts'
import { modelPart, partsIn, responseOutput } from '../shared/google-parts.ts'
import { type Fields, fields, list, objects, text, time, wholeNumber } from '../shared/json.ts'
import { type LogBuilder, type MessageFacts, SessionBuilder } from '../shared/log-builder.ts'
import { activeRows, type TreeRow } from '../shared/parent-chain.ts'
import { NOT_OF_USER, reminder } from '../shared/user-words.ts'

/** Reads a session of qwen-code: a tree of lines, of which the last one is the active leaf. */
export const readQwenCode: FormatReader = { lines: recordLines }

function recordLines(): LineReader {
  const session = new SessionBuilder(CLIENTS.qwenCode)
  const rows: TreeRow[] = []
  const byId = new Map<string, TreeRow>()
  return {
    read(entry, line) {
      readFacts(session, entry)
      countRecorded(session, entry)
      const id = text(entry.uuid)
      if (id === undefined) return
      if (byId.has(id)) return session.log.issue(line, `the id ${id} is used twice; the first one counts`)
      const row = { id, parent: text(entry.parentUuid), line, entry }
      rows.push(row)
      byId.set(id, row)
    },
    finish() {
      const branch = activeRows(rows, byId, session.log)
      session.leaveOut(rows, branch)
      for (const { entry } of branch) write(session, entry)
      return session
    },
  }
}

function readFacts({ facts }: SessionBuilder, entry: Fields): void {
  facts.sessionId ??= text(entry.sessionId)
  facts.workspace ??= text(entry.cwd)
  facts.version = text(entry.version) ?? facts.version
  facts.startedAt ??= time(entry.timestamp)
  facts.window = wholeNumber(entry.contextWindowSize) || facts.window
  if (entry.subtype === 'custom_title') facts.title = text(fields(entry.systemPayload)?.customTitle) ?? facts.title
}

function countRecorded({ log }: SessionBuilder, entry: Fields): void {
  if (entry.type !== 'user' && entry.type !== 'assistant') return
  log.recordedMessages++
  log.recordedCalls += objects(fields(entry.message)?.parts).filter((part) => 'functionCall' in part).length
}

function write(session: SessionBuilder, entry: Fields): void {
  const { log } = session
  const parts = objects(fields(entry.message)?.parts)
  const facts: MessageFacts = { at: time(entry.timestamp) }
  switch (entry.type) {
    case 'user':
      log.say(
        { role: 'user', content: contentOfParts(userParts(entry, parts)) },
        isOfUser(entry) ? facts : { ...facts, ...NOT_OF_USER },
      )
      return
    case 'assistant': {
      const content = parts.flatMap((part, i) => modelPart(part, `call-${log.entries.length + 1}-${i}`))
      log.say({ role: 'assistant', content }, { ...facts, model: modelName(entry), usage: usageOf(entry) })
      return
    }
    case 'tool_result':
      return writeResults(session, parts, entry, facts)
    case 'system':
      if (entry.subtype === 'chat_compression') addQwenCodeCompaction(log, fields(entry.systemPayload) ?? {}, facts)
  }
}

/** Notices and prompts of programs are in the user's role, too; they have their own kinds. */
function isOfUser(entry: Fields): boolean {
  const kind = text(entry.subtype)
  return kind === undefined || kind === 'mid_turn_user_message'
}

function userParts(entry: Fields, parts: readonly Fields[]): ReturnType<typeof partsIn> {
  if (isOfUser(entry)) return partsIn(parts)
  return partsIn(parts).map((part) => (part.type === 'text' ? { ...part, text: reminder(part.text) } : part))
}

function writeResults({ log }: SessionBuilder, parts: readonly Fields[], entry: Fields, facts: MessageFacts): void {
  const status = fields(entry.toolCallResult)?.status
  const failed = status === 'error' || status === 'cancelled'
  for (const part of parts) {
    const response = fields(part.functionResponse)
    if (response === undefined) continue
    const toolName = text(response.name)
    log.result(String(response.id ?? ''), responseOutput(fields(response.response), failed), { ...facts, toolName })
  }
}

function modelName(entry: Fields): string | undefined {
  const model = text(entry.model)
  return model?.startsWith('qwen') === true ? `qwen/${model}` : model
}

function usageOf(entry: Fields): Usage | undefined {
  const usage = fields(entry.usageMetadata)
  const inputTokens = wholeNumber(usage?.promptTokenCount)
  if (usage === undefined || inputTokens === undefined || inputTokens === 0) return undefined
  const total = wholeNumber(usage.totalTokenCount) ?? 0
  return {
    inputTokens,
    outputTokens: Math.max(wholeNumber(usage.candidatesTokenCount) ?? 0, total - inputTokens),
    cacheReadTokens: wholeNumber(usage.cachedContentTokenCount) ?? 0,
    reasoningTokens: wholeNumber(usage.thoughtsTokenCount) ?? 0,
  }
}

/**
 * Appends a compaction that qwen-code recorded. It stores the history that it continues with: the summary, a confirmation of the
 * model, files that it read again, and the messages that it kept.
 */
function addQwenCodeCompaction(log: LogBuilder, payload: Fields, facts: MessageFacts): void {
  const info = fields(payload.info)
  const kept: Seq[] = []
  const newTexts: string[] = []
  for (const content of objects(payload.compressedHistory)) {
    const seqs = sameMessages(log, content).filter((seq) => !kept.includes(seq))
    kept.push(...seqs)
    if (seqs.length === 0 && content.role === 'user') newTexts.push(textIn(content))
  }
  log.compact({
    by: 'qwen-code',
    summary: newTexts[0] ?? '',
    shown: newTexts.join('\n\n'),
    keep: kept.toSorted((a, b) => a - b),
    tokensBefore: wholeNumber(info?.originalTokenCount),
    trigger: info?.triggerReason === 'manual' ? 'manual' : info?.triggerReason === 'token_limit' ? 'auto' : undefined,
    ...facts,
  })
}

/** The messages of the log that a content of the history repeats: found by their calls and results, or by their text. */
function sameMessages(log: LogBuilder, content: Fields): Seq[] {
  const parts = objects(content.parts)
  const calls = new Set(parts.flatMap((part) => text(fields(part.functionCall)?.id) ?? []))
  const answers = new Set(parts.flatMap((part) => text(fields(part.functionResponse)?.id) ?? []))
  const role = content.role === 'model' ? 'assistant' : 'user'
  const words = textIn(content)
  const isSame = (message: Message) =>
    callsOf(message).some((call) => calls.has(call.toolCallId)) ||
    resultsOf(message).some((result) => answers.has(result.toolCallId)) ||
    (message.role === role && words !== '' && textOf(message) === words && callsOf(message).length === calls.size)
  return log.live.filter(({ message }) => isSame(message)).map(({ seq }) => seq)
}

function textIn(content: Fields): string {
  return list(content.parts)
    .flatMap((part) => text(fields(part)?.text) ?? [])
    .join('\n')
}
