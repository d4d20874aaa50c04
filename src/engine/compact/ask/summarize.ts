import type { Policy } from '../../../model/policy/policy.ts'
import { atOnce, inSlices, mapSteps, type Pause, type Steps } from '../../../model/steps.ts'
import { shorten } from '../../../model/text.ts'
import {
  addUsage,
  type Item,
  type Message,
  type SummaryModel,
  type SummaryRequest,
  type Usage,
} from '../../../model/types.ts'
import type { Estimator } from '../../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { enclose } from '../../record/escape.ts'
import type { PromptSet } from '../../record/prompts/prompt-set.ts'
import { promptsOf } from '../../record/prompts/prompts-of.ts'
import { asText, serializeItem } from '../../record/serialize.ts'
import { type AcceptedSummary, acceptAnswer, type Refusal } from './accept-summary.ts'
import { callModel, guarded, type SummaryCallOptions } from './call-model.ts'

/** The items to summarise, the model that does it, and the callbacks. */
export type SummarizeInput = SummaryCallOptions & {
  readonly items: readonly Item[]
  /** The tokens of all their messages. */
  readonly tokens: number
  /** The same, counted by the estimator that no policy changes; absent if it has not counted exactly these messages. */
  readonly featureTokens?: number
  /** The items from this index on begin a turn that is still in progress, and get a summary of their own. Absent if there are none. */
  readonly turnStart?: number
  readonly policy: Policy
  readonly model: SummaryModel
  /** The room that each request leaves for its answer. */
  readonly answerTokens: number
  /** The most tokens of an answer; if absent, the provider decides. */
  readonly maxOutputTokens?: number
  readonly focus?: string
  /** The facts that the record has in any case, so that the model need not repeat them. */
  readonly facts?: string
  readonly estimator: Estimator
  readonly pause?: Pause
  readonly onChunk?: (chunk: number, of: number) => void
}

export type SummaryAttempt = (AcceptedSummary | Refusal) & {
  readonly usage?: Usage
  /** The conversation as the model has read it, if it read all of it in one request. */
  readonly read?: string
}

/** Separates the summary of the earlier turns from that of the turn in progress. */
const CURRENT_TURN = '\n\n---\n\n## Current Turn (in progress)\n\n'

/** Has a model summarise items, in chunks if they exceed its window. Accepts only an answer that is a summary. */
export async function summarize(input: SummarizeInput): Promise<SummaryAttempt> {
  const { items, turnStart } = input
  const prompts = promptsOf(input.policy.promptSet)
  const instruction = input.policy.prompt ?? prompts.summary
  // A turn that starts with the first item has nothing before it, so one summary is enough.
  if (turnStart === undefined || turnStart === 0) return summarizeItems(input, items, instruction)
  const before = await summarizeItems(input, items.slice(0, turnStart), instruction)
  if (!before.ok) return ofHalf('earlier turns', before)
  guarded(() => input.onText?.(CURRENT_TURN))
  const turn = await summarizeItems(input, items.slice(turnStart), input.policy.prompt ?? prompts.turn)
  const usage = addUsage(before.usage, turn.usage)
  if (!turn.ok) return { ...ofHalf('current turn', turn), usage }
  return { ok: true, summary: before.summary + CURRENT_TURN + turn.summary, usage }
}

/** Two requests made one summary: the reason names the one that failed. */
function ofHalf<T extends Refusal>(half: string, refusal: T): T {
  return { ...refusal, reason: `the summary of the ${half}: ${refusal.reason}` }
}

async function summarizeItems(
  input: SummarizeInput,
  items: readonly Item[],
  instruction: string,
): Promise<SummaryAttempt> {
  const prompts = promptsOf(input.policy.promptSet)
  const anchored = input.policy.updateSummary && items[0]?.kind === 'summary'
  const withoutFacts = anchored ? `${prompts.update}\n\n${instruction}` : instruction
  const all = await inSlices(
    mapSteps(items, (item) => itemText(item, input.policy)),
    input.pause,
  )
  const texts = all.filter((text) => text !== '')
  // If the conversation does not fit into one request, the facts are left out: the conversation needs the room.
  const withFacts = input.facts === undefined ? withoutFacts : `${enclose('facts', input.facts)}\n\n${withoutFacts}`
  const most = mostTokens(items, input.tokens)
  const room = roomFor(input, prompts, withFacts)
  const isWhole = most <= room
  const asked = isWhole ? withFacts : withoutFacts
  const maxTokens = isWhole ? room : roomFor(input, prompts, withoutFacts)
  const parts = { prompts, instruction: asked, focus: input.focus, maxOutputTokens: input.maxOutputTokens }
  const chunks =
    most <= maxTokens ? [texts] : await inSlices(chunkSteps(texts, maxTokens, input.estimator), input.pause)
  if (chunks.length > 1) return summarizeChunks(input, chunks, [asked, instruction], maxTokens)
  const whole = () => texts.reduce((sum, text) => sum + input.estimator.text(text), 0) <= maxTokens
  const asMessages = input.policy.covers === 'everything' && !asked.includes('{messages}') && whole()
  if (asMessages)
    return ask(
      input,
      messagesRequest(
        items.map(({ message }) => message),
        input.policy,
        parts,
      ),
      input.onText,
    )
  const read = textOf(chunks[0] ?? [])
  const counted = { ...parts, mostTokens: mostOfRequest(input, items, asked) }
  return { ...(await ask(input, textRequest(read, counted), input.onText)), read }
}

/** The most tokens of a request that has all items once. Unknown if their own text has not been counted. */
function mostOfRequest(input: SummarizeInput, items: readonly Item[], asked: string): number | undefined {
  const { featureTokens, focus = '' } = input
  if (featureTokens === undefined || items !== input.items || asked.includes('{messages}')) return undefined
  return mostTokens(items, featureTokens) + featureEstimator.text(asked + focus)
}

function textOf(texts: readonly string[]): string {
  return texts.join('\n\n')
}

/** More than the label of any part takes, including the separator after it. */
const LABEL_TOKENS = 18

/** The counted tokens of the messages plus all labels. If that fits, the texts need not be counted again. */
function mostTokens(items: readonly Item[], tokens: number): number {
  return items.reduce((sum, { message }) => sum + labelTokens(message), tokens)
}

/** The label of a file contains its name. */
function labelTokens({ content }: Message): number {
  if (typeof content === 'string') return LABEL_TOKENS
  let tokens = content.length * LABEL_TOKENS
  for (const part of content) if (part.type === 'file') tokens += (part.filename ?? '').length + part.mediaType.length
  return tokens
}

/** Summarises each chunk, then merges the summaries, in several rounds if they are still too large for one request. */
async function summarizeChunks(
  input: SummarizeInput,
  chunks: readonly string[][],
  [first, instruction]: readonly [first: string, others: string],
  maxTokens: number,
): Promise<SummaryAttempt> {
  const prompts = promptsOf(input.policy.promptSet)
  const parts = { prompts, focus: input.focus, maxOutputTokens: input.maxOutputTokens }
  let usage: Usage | undefined
  let summaries: string[] = []
  for (const [i, texts] of chunks.entries()) {
    input.onChunk?.(i + 1, chunks.length)
    // Only the first chunk contains the earlier summary.
    const request = textRequest(textOf(texts), { ...parts, instruction: i === 0 ? first : instruction })
    const summary = await ask(input, request, undefined)
    usage = addUsage(usage, summary.usage)
    if (!summary.ok) return { ...summary, usage }
    summaries.push(summary.summary)
  }
  // A custom prompt marks the place of the conversation. Here the parts are elsewhere already.
  const merging = `${prompts.merge}\n\n${instruction.replaceAll('{messages}', '')}`
  for (;;) {
    const parted = summaries.map((summary, i) => `[Part ${i + 1}]: ${summary}`)
    const groups = chunk(parted, maxTokens, input.estimator)
    const last = groups.length === 1 || groups.length >= summaries.length
    const merged: string[] = []
    for (const texts of last ? [groups.flat()] : groups) {
      const request = textRequest(textOf(texts), { ...parts, instruction: merging })
      const summary = await ask(input, request, last ? input.onText : undefined)
      usage = addUsage(usage, summary.usage)
      if (!summary.ok || last) return { ...summary, usage }
      merged.push(summary.summary)
    }
    summaries = merged
  }
}

async function ask(
  input: SummarizeInput,
  request: SummaryRequest,
  onText: SummaryCallOptions['onText'],
): Promise<SummaryAttempt> {
  const answer = await callModel(input.model, request, { ...input, onText })
  return { ...acceptAnswer(answer), usage: answer.usage }
}

/** An earlier summary is sent as it was written. The lines beside it are left out, because they come from the log again. */
function itemText(item: Item, policy: Policy): string {
  if (item.kind === 'summary' && (item.frame === 'pith' || item.text !== item.message.content))
    return `[Summary of what came before]: ${item.text}`
  return serializeItem(item, policy)
}

/** The tokens of conversation in one request: the summariser's window minus prompts, answer and a margin. */
function roomFor(input: SummarizeInput, prompts: PromptSet, instruction: string): number {
  const { window } = input.model
  if (window === undefined || window <= 0) return Number.POSITIVE_INFINITY
  const asked = input.estimator.text(prompts.system + instruction + (input.focus ?? ''))
  // A model that has not counted anything yet may count a fifth more than we do. The presets of other systems use the margins of those systems.
  const margin = Math.ceil(window * (input.policy.fitTarget ? 0.1 : 0.05))
  return Math.max(1, window - asked - Math.min(input.answerTokens, Math.floor(window / 4)) - margin)
}

type RequestParts = {
  readonly prompts: PromptSet
  readonly instruction: string
  readonly focus?: string
  readonly maxOutputTokens?: number
  readonly mostTokens?: number
}

/** A request that holds the conversation as one text. */
export function textRequest(conversation: string, parts: RequestParts): SummaryRequest {
  const content = parts.instruction.includes('{messages}')
    ? // Not `replace`: the conversation may contain `$&`.
      parts.instruction.split('{messages}').join(conversation)
    : `${enclose('conversation', conversation)}\n\n${parts.instruction}`
  return request([{ role: 'user', content: withFocus(content, parts) }], parts)
}

/** A request that holds the conversation as messages, calls and results as text, and a closing instruction (K8). */
export function messagesRequest(messages: readonly Message[], policy: Policy, parts: RequestParts): SummaryRequest {
  const history = asText(messages, policy)
  const closing: Message = { role: 'user', content: withFocus(parts.instruction, parts) }
  const first: Message[] = history[0]?.role === 'user' ? [] : [{ role: 'user', content: 'The conversation:' }]
  return request([...first, ...history, closing], parts)
}

function withFocus(instruction: string, { prompts, focus }: RequestParts): string {
  return focus === undefined ? instruction : `${instruction}\n\n${prompts.focus(focus)}`
}

function request(messages: readonly Message[], { prompts, maxOutputTokens, mostTokens }: RequestParts): SummaryRequest {
  return { system: prompts.system, messages, maxOutputTokens, mostTokens }
}

/** The separator of two texts, and a margin for rounding. */
const SEPARATOR_TOKENS = 2

/**
 * Splits texts into runs of at most `maxTokens`, in order, each text in exactly one run. A text that is larger on its own
 * is shortened to its head and tail, with a mark between them.
 */
export function chunk(texts: readonly string[], maxTokens: number, estimator: Estimator): string[][] {
  return atOnce(chunkSteps(texts, maxTokens, estimator))
}

function* chunkSteps(texts: readonly string[], maxTokens: number, estimator: Estimator): Steps<string[][]> {
  const chunks: string[][] = []
  let current: string[] = []
  let used = 0
  for (const whole of texts) {
    const { text, tokens } = fitted(whole, maxTokens, estimator)
    if (current.length > 0 && used + tokens > maxTokens) {
      chunks.push(current)
      current = []
      used = 0
    }
    current.push(text)
    used += tokens
    yield
  }
  if (current.length > 0) chunks.push(current)
  return chunks
}

/** The text, shortened if necessary, with its tokens. A text that fits is counted only once: most do, and there may be many. */
function fitted(whole: string, maxTokens: number, estimator: Estimator): { text: string; tokens: number } {
  const all = estimator.text(whole) + SEPARATOR_TOKENS
  let text = whole
  let tokens = all
  // The share that fits by the estimate. A text that is denser at its ends needs another round.
  for (let keep = whole.length; tokens > maxTokens && keep > 1; keep = Math.floor(keep * 0.8)) {
    const share = Math.min(keep, Math.floor((whole.length * maxTokens) / all))
    const half = Math.floor(share * 0.45)
    text = shorten(whole, half, half, (cut) => `[...${cut} chars truncated]`)
    tokens = estimator.text(text) + SEPARATOR_TOKENS
  }
  return { text, tokens }
}
