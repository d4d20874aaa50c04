import { CLIENTS } from '../../engine/extract/text/clients.ts'
import type { AssistantPart, Seq, ToolResultOutput, Usage, UserPart } from '../../model/types.ts'
import { contentOfParts, imagePart, sourceOfUrl, textOutput, withExit } from '../shared/content-parts.ts'
import type { FormatReader } from '../shared/format.ts'
import { type Fields, fields, objects, text, time, wholeNumber } from '../shared/json.ts'
import { SessionBuilder } from '../shared/log-builder.ts'
import { opencodeWords, reminder, typedUserWords } from '../shared/user-words.ts'

/** Reads an export of opencode: messages with parts, each step of an answer with its tool calls and their results. */
export const readOpencode: FormatReader = { document: sessionOf }

function sessionOf(document: unknown): SessionBuilder {
  const session = new SessionBuilder(CLIENTS.opencode)
  const whole = fields(document)
  readFacts(session, fields(whole?.info) ?? {})
  const pruned: PrunedResult[] = []
  const seqs = new Map<string, Seq>()
  let tailStart: string | undefined
  let auto: boolean | undefined
  for (const message of objects(whole?.messages)) {
    const info = fields(message.info) ?? {}
    session.refused(text(fields(fields(info.error)?.data)?.message))
    const parts = objects(message.parts)
    session.log.recordedMessages++
    session.log.recordedCalls += parts.filter((part) => part.type === 'tool').length
    maskPruned(session, pruned, time(fields(info.time)?.created) ?? 0)
    const compaction = parts.find((part) => part.type === 'compaction')
    if (compaction !== undefined) {
      auto = compaction.auto === true
      tailStart = text(compaction.tail_start_id)
    } else if (info.role === 'user') note(seqs, info, sayUser(session, info, parts))
    else if (info.summary === true) {
      // After a failed compaction opencode continues with the whole conversation.
      if (fields(info.error) !== undefined || parts.every(({ type }) => type !== 'text')) continue
      compact(session, parts, info, auto, keptFrom(session, tailStart, seqs))
      pruned.length = 0
    } else note(seqs, info, sayAnswer(session, info, parts, pruned))
  }
  maskPruned(session, pruned, Number.POSITIVE_INFINITY)
  return session
}

/** A result whose text opencode no longer sends, and since when. */
type PrunedResult = { readonly seq: Seq; readonly at: number }

/** Masks the results that were pruned before this time: later counts of the provider are for a context without these texts. */
function maskPruned({ log }: SessionBuilder, pruned: PrunedResult[], before: number): void {
  const due = pruned.filter(({ at }) => at <= before)
  if (due.length === 0) return
  log.mask(due.map(({ seq }) => seq))
  pruned.splice(0, pruned.length, ...pruned.filter(({ at }) => at > before))
}

function readFacts({ facts }: SessionBuilder, info: Fields): void {
  facts.sessionId = text(info.id)
  facts.title = text(info.title)
  facts.workspace = text(info.directory)
  facts.version = text(info.version)
  facts.startedAt = time(fields(info.time)?.created)
  facts.forkedFrom = text(info.parentID)
  // The session of a sub-agent.
  if (facts.forkedFrom !== undefined) facts.isDelegated = true
}

function note(seqs: Map<string, Seq>, info: Fields, seq: Seq | undefined): void {
  if (seq !== undefined) seqs.set(String(info.id), seq)
}

function sayUser({ log }: SessionBuilder, info: Fields, parts: readonly Fields[]): Seq | undefined {
  const content = parts.flatMap((part): UserPart[] => {
    if (part.type === 'text' && part.ignored !== true)
      return text(part.text) === undefined ? [] : [{ type: 'text', text: wordsOf(part) }]
    const url = part.type === 'file' ? text(part.url) : undefined
    if (url === undefined) return []
    const source = sourceOfUrl(url)
    const mime = text(part.mime) ?? source.mediaType ?? ''
    // Text files and folders are quoted in a separate part.
    return mime.startsWith('image/') ? [imagePart({ ...source, mediaType: mime })] : []
  })
  const typed = parts.flatMap((part) => (isTyped(part) ? [String(part.text)] : []))
  const words = parts.every((part) => part.synthetic !== true) ? {} : { userWords: typedUserWords(typed) }
  return log.say({ role: 'user', content: contentOfParts(content) }, { ...timeOf(info), ...words })
}

/** True for a typed text. opencode marks the texts that it adds itself, such as the content of a file. */
function isTyped(part: Fields): boolean {
  return part.type === 'text' && part.ignored !== true && part.synthetic !== true && text(part.text) !== undefined
}

function wordsOf(part: Fields): string {
  return part.synthetic === true ? reminder(String(part.text)) : String(part.text)
}

/** One stored answer may have several steps; each of them was a separate request. */
function sayAnswer(
  session: SessionBuilder,
  info: Fields,
  parts: readonly Fields[],
  pruned: PrunedResult[],
): Seq | undefined {
  const steps: Fields[][] = [[]]
  for (const part of parts) {
    if (part.type === 'step-start' && steps.at(-1)?.length) steps.push([])
    steps.at(-1)?.push(part)
  }
  const seqs = steps.map((step) => sayStep(session, info, step, pruned))
  return seqs.find((seq) => seq !== undefined)
}

function sayStep(
  { log }: SessionBuilder,
  info: Fields,
  step: readonly Fields[],
  pruned: PrunedResult[],
): Seq | undefined {
  const model = [text(info.providerID), text(info.modelID)].filter((name) => name !== undefined).join('/')
  const finish = step.find((part) => part.type === 'step-finish')
  const usage = usageOf(fields(finish?.tokens) ?? fields(info.tokens))
  const content = step.flatMap(assistantPart)
  const facts = { ...timeOf(info), model: model === '' ? undefined : model, usage }
  const seq = log.say({ role: 'assistant', content }, facts)
  for (const part of step) {
    const state = part.type === 'tool' ? fields(part.state) : undefined
    const output = state === undefined ? undefined : outputFrom(state)
    if (state === undefined || output === undefined) continue
    const times = fields(state.time)
    const words = opencodeWords(String(part.tool), output)
    const result = log.result(String(part.callID ?? part.id), output, { at: time(times?.end), ...words })
    if (times?.compacted !== undefined && result !== undefined)
      pruned.push({ seq: result, at: time(times.compacted) ?? Number.POSITIVE_INFINITY })
  }
  return seq
}

function assistantPart(part: Fields): AssistantPart[] {
  if (part.type === 'text') return text(part.text) === undefined ? [] : [{ type: 'text', text: String(part.text) }]
  if (part.type === 'reasoning') return reasoning(part)
  if (part.type !== 'tool') return []
  const input = fields(part.state)?.input ?? {}
  return [{ type: 'tool-call', toolCallId: String(part.callID ?? part.id), toolName: String(part.tool ?? ''), input }]
}

function reasoning(part: Fields): AssistantPart[] {
  const words = text(part.text) ?? ''
  const known = fields(part.metadata)
  if (words === '' && known === undefined) return []
  const openai = fields(known?.opencode) ?? fields(known?.openai)
  const anthropic = fields(known?.anthropic)
  const providerOptions = {
    ...(openai === undefined ? {} : { openai: { ...openai } as Record<string, string> }),
    ...(anthropic === undefined ? {} : { anthropic: { ...anthropic } as Record<string, string> }),
  }
  return [{ type: 'reasoning', text: words, providerOptions: known === undefined ? undefined : providerOptions }]
}

function outputFrom(state: Fields): ToolResultOutput | undefined {
  if (state.status === 'error') return textOutput(text(state.error) ?? 'The tool failed.', true)
  if (state.status !== 'completed') return undefined
  return withExit(textOutput(String(state.output ?? '')), 'opencode', fields(state.metadata)?.exit)
}

function compact(
  session: SessionBuilder,
  parts: readonly Fields[],
  info: Fields,
  auto: boolean | undefined,
  keep: Seq[],
): void {
  const summary = parts.flatMap((part) => (part.type === 'text' ? (text(part.text) ?? []) : [])).join('\n')
  const trigger = auto === undefined ? undefined : auto ? 'auto' : 'manual'
  const tokensBefore = usageOf(fields(info.tokens))?.inputTokens
  session.log.compact({ by: 'opencode', summary, keep, trigger, tokensBefore, ...timeOf(info) })
}

/** Newer versions keep the last messages after the summary. */
function keptFrom(session: SessionBuilder, first: string | undefined, seqs: ReadonlyMap<string, Seq>): Seq[] {
  const start = first === undefined ? undefined : seqs.get(first)
  return start === undefined ? [] : session.log.live.map((item) => item.seq).filter((seq) => seq >= start)
}

function usageOf(tokens: Fields | undefined): Usage | undefined {
  const input = wholeNumber(tokens?.input)
  if (tokens === undefined || input === undefined) return undefined
  const cache = fields(tokens.cache)
  const cacheReadTokens = wholeNumber(cache?.read) ?? 0
  const cacheWriteTokens = wholeNumber(cache?.write) ?? 0
  const reasoningTokens = wholeNumber(tokens.reasoning) ?? 0
  const inputTokens = input + cacheReadTokens + cacheWriteTokens
  const total = wholeNumber(tokens.total)
  // Some versions count reasoning as output, others separately; the total shows which.
  const outputTokens =
    total === undefined ? (wholeNumber(tokens.output) ?? 0) + reasoningTokens : Math.max(0, total - inputTokens)
  return inputTokens === 0
    ? undefined
    : { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens }
}

function timeOf(info: Fields): { at?: number } {
  return { at: time(fields(info.time)?.created) }
}
