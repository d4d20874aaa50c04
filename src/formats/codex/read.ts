import { CLIENTS } from '../../engine/extract/text/clients.ts'
import { type Message, type Seq, textOf, type Usage } from '../../model/types.ts'
import { addMeaning, meaningOf } from '../openai-responses/read.ts'
import type { FormatReader, LineReader } from '../shared/format.ts'
import { type Fields, fields, objects, text, time, wholeNumber } from '../shared/json.ts'
import { type MessageFacts, SessionBuilder } from '../shared/log-builder.ts'
import { RECORD_FIELD } from '../shared/own-record.ts'

/** Reads a rollout of Codex: response items of the API, with lines of the program between them. */
export const readCodex: FormatReader = { lines: () => new RolloutReader() }

class RolloutReader implements LineReader {
  readonly #session = new SessionBuilder(CLIENTS.codex)
  #provider = 'openai'
  #model: string | undefined

  read(line: Fields): void {
    const facts = { at: time(line.timestamp) }
    const payload = fields(line.payload)
    // The first versions wrote the items bare, after a line about the session.
    if (payload === undefined) return line.type === undefined ? this.#meta(line) : this.#item(line, facts)
    switch (line.type) {
      case 'session_meta':
        return this.#meta(payload)
      case 'turn_context':
        this.#session.facts.workspace ??= text(payload.cwd)
        this.#model = text(payload.model) === undefined ? this.#model : `${this.#provider}/${payload.model}`
        return
      case 'response_item':
        return this.#item(payload, facts)
      case 'compacted':
        return this.#compacted(payload, facts)
      case 'event_msg':
        return this.#event(payload)
    }
  }

  finish(): SessionBuilder {
    return this.#session
  }

  /** A fork starts with its own line and repeats that of the session it came from. */
  #meta(meta: Fields): void {
    const { facts } = this.#session
    const id = text(meta.id)
    if (id === undefined) return
    if (facts.sessionId !== undefined) {
      if (facts.sessionId !== id) facts.forkedFrom ??= id
      return
    }
    facts.sessionId = id
    facts.forkedFrom = text(meta.forked_from_id)
    facts.workspace = text(meta.cwd)
    facts.version = text(meta.cli_version)
    facts.startedAt = time(meta.timestamp)
    facts.repository = text(fields(meta.git)?.repository_url)
    const isSubAgent = fields(meta.source)?.subagent !== undefined || meta.thread_source === 'subagent'
    if (isSubAgent || meta.source === 'exec') facts.isDelegated = true
    this.#provider = text(meta.model_provider) ?? 'openai'
    const instructions = text(fields(meta.base_instructions)?.text) ?? text(meta.instructions)
    if (instructions !== undefined) this.#session.log.system.push(instructions)
  }

  #item(item: Fields, facts: MessageFacts): void {
    const { log } = this.#session
    if (item.type === 'message') log.recordedMessages++
    if (item.type === 'function_call' || item.type === 'custom_tool_call' || item.type === 'local_shell_call') {
      log.recordedCalls++
    }
    const meaning = meaningOf(item)
    if (meaning?.kind === 'user' && isInstructions(meaning.message)) log.system.push(textOf(meaning.message))
    else addMeaning(log, meaning, meaning?.kind === 'answer' ? { ...facts, model: this.#model } : facts)
  }

  #event(event: Fields): void {
    const { log, facts } = this.#session
    if (event.type === 'thread_name_updated') facts.title = text(event.thread_name) ?? facts.title
    if (event.type === 'thread_rolled_back') log.dropTurns(wholeNumber(event.num_turns) ?? 0)
    // The window is that of a turn's model, less the part that Codex reserves.
    facts.window = wholeNumber((fields(event.info) ?? event).model_context_window) || facts.window
    const usage = event.type === 'token_count' ? usageOf(fields(fields(event.info)?.last_token_usage)) : undefined
    const last = log.entries.findLast((entry) => entry.type !== 'message' || entry.message.role === 'assistant')
    // Codex repeats the count at the start of a turn, and counts the summary's own request after a compaction.
    if (usage !== undefined && last?.type === 'message' && last.usage === undefined) log.reportUsage(usage)
  }

  /** Codex continues with its own list: messages of the user that it kept, and the summary, often encrypted. */
  #compacted(payload: Fields, facts: MessageFacts): void {
    const { log } = this.#session
    const recorded = text(payload.message)
    const kept: Seq[] = []
    const others: Message[] = []
    // Codex treats the summary that a session began with as a message of the user, and keeps it.
    const earlier: string[] = []
    const summaries = new Set(log.compactions.map((compaction) => compaction.summary))
    for (const item of objects(payload.replacement_history)) {
      const meaning = meaningOf(item)
      if (meaning?.kind !== 'user' || isInstructions(meaning.message)) continue
      const words = textOf(meaning.message)
      if (words === recorded) continue
      if (summaries.has(words)) {
        earlier.push(words)
        continue
      }
      const same = log.live.findLast(
        ({ seq, message }) => message.role === 'user' && textOf(message) === words && !kept.includes(seq),
      )
      if (same === undefined) others.push(meaning.message)
      else kept.push(same.seq)
    }
    const summary = recorded ?? UNREADABLE_SUMMARY
    log.compact({
      by: 'Codex',
      summary,
      shown: [...earlier, summary].join('\n\n'),
      field: payload[RECORD_FIELD],
      keep: kept.toSorted((a, b) => a - b),
      ...facts,
    })
    for (const message of others) log.say(message, facts)
  }
}

/** Replaces a summary that only the provider can read. */
export const UNREADABLE_SUMMARY =
  '[Codex has compacted what was said before; its summary is encrypted and only its provider can read it.]'

/** Messages in the user's role in which Codex gives the model its instructions; it writes them again when it resumes. */
function isInstructions(message: Message): boolean {
  return INSTRUCTIONS.test(textOf(message))
}

const INSTRUCTIONS =
  /^\s*(?:# AGENTS\.md instructions|<(?:user_instructions|environment_context|permissions instructions)\b)/

function usageOf(usage: Fields | undefined): Usage | undefined {
  const inputTokens = wholeNumber(usage?.input_tokens)
  if (usage === undefined || inputTokens === undefined || inputTokens === 0) return undefined
  return {
    inputTokens,
    outputTokens: wholeNumber(usage.output_tokens) ?? 0,
    cacheReadTokens: wholeNumber(usage.cached_input_tokens) ?? 0,
    reasoningTokens: wholeNumber(usage.reasoning_output_tokens) ?? 0,
  }
}
