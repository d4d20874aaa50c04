import type { Fixed, ToolSchema } from '../../model/fixed.ts'
import { jsonText, type Message, outputText, type Part, type ToolResultOutput } from '../../model/message/message.ts'
import { RecentMap } from '../../model/values/recent-map.ts'
import { featureEstimator } from './feature-estimator.ts'
import { perEstimator } from './per-estimator.ts'
import { type Scale, scaledCount, scaleOf } from './scaled-estimator.ts'

/** Estimates the tokens of a text. The name is shown with the count. */
export type Estimator = {
  readonly name: string
  readonly text: (text: string) => number
  /** Counts below this are not cached, because counting again is faster. Absent: all counts of messages are cached. */
  readonly rememberFrom?: number
  /** Judges what a provider reports, where this estimator is too coarse for that. Absent: itself. */
  readonly judge?: Estimator
}

/** Four characters are one token, rounded down (K6, T1). */
export const charactersByFour: Estimator = {
  name: 'characters/4',
  text: (text) => Math.floor(text.length / 4),
  rememberFrom: Number.POSITIVE_INFINITY,
  judge: featureEstimator,
}

/** Providers count an image by its pixels, which we do not know; this is about a full-size screenshot. */
export const IMAGE_TOKENS = 1_200

/** The tokens of all parts of a message: text, reasoning, calls with their arguments, results, files. */
export function messageTokens(message: Message, estimator: Estimator): number {
  const { rememberFrom = 0 } = estimator
  if (rememberFrom === Number.POSITIVE_INFINITY) return contentTokens(message, estimator)
  const counts = countsOf(estimator)
  const known = counts.get(message)
  if (known !== undefined) return known.tokens
  const scale = scaleOf(estimator)
  const counted = scale === undefined ? undefined : countsOf(scale.of).get(message)
  if (scale !== undefined && counted !== undefined) {
    const count = scaledFrom(counted, scale)
    if (count.tokens >= rememberFrom) counts.set(message, count)
    return count.tokens
  }
  const counter = counterOf(estimator)
  const tokens = counter.count(message)
  if (tokens >= rememberFrom) counts.set(message, { tokens, texts: counter.texts() })
  return tokens
}

/** The tokens of a message, and of each of its texts. */
type Count = { readonly tokens: number; readonly texts: readonly number[] }

/** Counts a message and notes its texts. Most are so short that a list for each would take as long as reading them. */
const counterOf = perEstimator((estimator) => {
  const counts: number[] = []
  let noted = 0
  const text = (content: string) => {
    const tokens = estimator.text(content)
    counts[noted++] = tokens
    return tokens
  }
  const noting = { name: estimator.name, text }
  return {
    count: (message: Message): number => {
      noted = 0
      return contentTokens(message, noting)
    },
    /** Those of the message that was counted last. */
    texts: (): number[] => counts.slice(0, noted),
  }
})

/** A message that was counted before is not read again: a scale changes with the provider's reports. */
function scaledFrom(known: Count, scale: Scale): Count {
  const texts = known.texts.map((tokens) => scaledCount(tokens, scale))
  const sum = (counts: readonly number[]) => counts.reduce((all, tokens) => all + tokens, 0)
  return { tokens: known.tokens - sum(known.texts) + sum(texts), texts }
}

/** From now on the provider's count of a message stands for the estimate. The estimator has to remember all counts. */
export function knowTokens(message: Message, estimator: Estimator, tokens: number): void {
  countsOf(estimator).set(message, { tokens, texts: [] })
}

function contentTokens({ content }: Message, estimator: Estimator): number {
  if (typeof content === 'string') return estimator.text(content)
  let tokens = 0
  for (const part of content) tokens += partTokens(part, estimator)
  return tokens
}

/** The tokens of the parts that a provider counts in its own way or, as reasoning of earlier turns, not at all. */
export function uncertainTokens({ content }: Message, estimator: Estimator): number {
  if (typeof content === 'string') return 0
  return content.reduce((sum, part) => sum + (isCertain(part) ? 0 : partTokens(part, estimator)), 0)
}

/** True for text, calls and results of text. */
function isCertain(part: Part): boolean {
  if (part.type === 'tool-result') {
    return part.output.type !== 'content' || part.output.value.every(({ type }) => type === 'text')
  }
  return part.type === 'text' || part.type === 'tool-call'
}

/** The tokens of the fixed parts of a request, each by itself. */
export function fixedTokens(fixed: Fixed, estimator: Estimator): FixedTokens {
  const text = (value: string | undefined) => (value === undefined ? 0 : fixedTextTokens(value, estimator))
  return {
    system: text(fixed.system),
    tools: (fixed.tools ?? []).reduce((sum, tool) => sum + toolTokens(tool, estimator), 0),
    instructions: text(fixed.instructions),
    memory: text(fixed.memory),
  }
}

/** The tokens of all fixed parts together. */
export function fixedTotal(fixed: Fixed, estimator: Estimator): number {
  return Object.values(fixedTokens(fixed, estimator)).reduce((sum, tokens) => sum + tokens, 0)
}

export type FixedTokens = { system: number; tools: number; instructions: number; memory: number }

/** A system prompt comes with every request: those of the last ones are remembered. */
function fixedTextTokens(text: string, estimator: Estimator): number {
  const counts = fixedCountsOf(estimator)
  const tokens = counts.get(text) ?? estimator.text(text)
  counts.set(text, tokens)
  return tokens
}

const MOST_FIXED_TEXTS = 16

function toolTokens(tool: ToolSchema, estimator: Estimator): number {
  const counts = toolCountsOf(estimator)
  const tokens = counts.get(tool) ?? estimator.text(jsonText(tool))
  counts.set(tool, tokens)
  return tokens
}

// A message never changes, nor does a tool, so each is counted once.
const countsOf = perEstimator(() => new WeakMap<Message, Count>())
const fixedCountsOf = perEstimator(() => new RecentMap<string, number>(MOST_FIXED_TEXTS))
const toolCountsOf = perEstimator(() => new WeakMap<ToolSchema, number>())

function partTokens(part: Part, estimator: Estimator): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return estimator.text(part.text)
    case 'tool-call':
      return estimator.text(part.toolName + jsonText(part.input))
    case 'tool-result':
      return outputTokens(part.output, estimator)
    case 'image':
    case 'reasoning-file':
      return IMAGE_TOKENS
    case 'file':
      return fileTokens(part.data, estimator)
    case 'tool-approval-request':
    case 'tool-approval-response':
      return estimator.text(part.reason ?? '')
    case 'custom':
      return estimator.text(jsonText(part.providerOptions))
  }
}

function outputTokens(output: ToolResultOutput, estimator: Estimator): number {
  if (output.type !== 'content') return estimator.text(outputText(output))
  return output.value.reduce((sum, content) => {
    if (content.type === 'text') return sum + estimator.text(content.text)
    return sum + (content.type === 'file' ? fileTokens(content.data, estimator) : IMAGE_TOKENS)
  }, 0)
}

function fileTokens(data: unknown, estimator: Estimator): number {
  const text = typeof data === 'object' && data !== null && 'text' in data ? data.text : undefined
  return typeof text === 'string' ? estimator.text(text) : IMAGE_TOKENS
}
