import type { Items } from '../../model/items.ts'
import { type Fixed, jsonText, type Message, outputText, type Part, type ToolResultOutput } from '../../model/types.ts'
import { featureEstimator } from './feature-estimator.ts'

/** Estimates the tokens of a text. The name is shown with the count. */
export type Estimator = {
  readonly name: string
  readonly text: (text: string) => number
  /** Judges the provider's reports if this estimator is too coarse for that. If absent, it judges them itself. */
  readonly judge?: Estimator
  /** Messages whose count is known, from a provider for example. */
  readonly known?: ReadonlyMap<Message, number>
  /** Set if it counts a percentage of another estimator's tokens. */
  readonly scale?: Scale
}

/** An estimator whose counts are taken in percent. */
export type Scale = { readonly of: Estimator; readonly percent: number }

/** Four characters are one token, rounded down (K6, T1). */
export const charactersByFour: Estimator = {
  name: 'characters/4',
  text: (text) => Math.floor(text.length / 4),
  judge: featureEstimator,
}

/** Providers count an image by its pixels, which we do not know; this is about a full-size screenshot. */
export const IMAGE_TOKENS = 1_200

/** The tokens of all parts of a message: text, reasoning, calls with their arguments, results, files. */
export function messageTokens(message: Message, estimator: Estimator): number {
  const { content } = message
  const known = estimator.known?.get(message)
  if (known !== undefined) return known
  if (typeof content === 'string') return estimator.text(content)
  let tokens = 0
  for (const part of content) tokens += partTokens(part, estimator)
  return tokens
}

/** True for a part that every provider counts: text, calls and results of text. */
export function isCertain(part: Part): boolean {
  if (part.type === 'tool-result') {
    return part.output.type !== 'content' || part.output.value.every(({ type }) => type === 'text')
  }
  return part.type === 'text' || part.type === 'tool-call'
}

/** The tokens of a message that every provider counts: its text. */
export function certainTokensOf({ content }: Message, estimator: Estimator): number {
  if (typeof content === 'string') return estimator.text(content)
  return content.reduce((sum, part) => sum + (isCertain(part) ? partTokens(part, estimator) : 0), 0)
}

/** The tokens of the fixed parts of a request, each by itself. */
export function fixedTokens(fixed: Fixed, estimator: Estimator): FixedTokens {
  const { of, percent } = scaleOf(estimator)
  return scaledFixed(fixedCounts(fixed, of), percent)
}

/** The counts before an estimator's scale, those of each tool by itself. */
export type FixedCounts = Omit<FixedTokens, 'tools'> & { readonly tools: readonly number[] }

export function fixedCounts(fixed: Fixed, estimator: Estimator): FixedCounts {
  const { system, tools = [], instructions, memory, unseenTokens } = fixed
  const count = (text: string | undefined) => (text === undefined ? 0 : estimator.text(text))
  return {
    system: count(system),
    tools: tools.map((tool) => estimator.text(jsonText(tool))),
    instructions: count(instructions),
    memory: count(memory),
    ...(unseenTokens === undefined ? {} : { unseen: unseenTokens }),
  }
}

/** The unseen part is not an estimate of a text, so it is not scaled. */
export function scaledFixed(
  { system, tools, instructions, memory, ...unseen }: FixedCounts,
  percent: number,
): FixedTokens {
  return {
    system: scaledCount(system, percent),
    tools: tools.reduce((sum, tool) => sum + scaledCount(tool, percent), 0),
    instructions: scaledCount(instructions, percent),
    memory: scaledCount(memory, percent),
    ...unseen,
  }
}

/** The tokens of all fixed parts together. */
export function fixedTotal(fixed: Fixed, estimator: Estimator): number {
  return sumOfFixed(fixedTokens(fixed, estimator))
}

export function sumOfFixed({ system, tools, instructions, memory, unseen = 0 }: FixedTokens): number {
  return system + tools + instructions + memory + unseen
}

export type FixedTokens = {
  readonly system: number
  readonly tools: number
  readonly instructions: number
  readonly memory: number
  readonly unseen?: number
}

/** The tokens of one part of a message. */
export function partTokens(part: Part, estimator: Estimator): number {
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

/** The tokens of the images of a part, and of its files that are not text. */
export function pictureTokens(part: Part): number {
  return partTokens(part, NO_TEXT)
}

const NO_TEXT: Estimator = { name: 'no text', text: () => 0 }

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

/** The estimated tokens of items `from` to `to` of a view. Each is read: to count repeatedly, use `Sizes`. */
export function itemTokens(items: Items, from: number, to: number, estimator: Estimator): number {
  return messagesTokens(
    items.slice(from, to).map(({ message }) => message),
    estimator,
  )
}

/** The estimated tokens of some messages. */
export function messagesTokens(messages: readonly Message[], estimator: Estimator): number {
  let tokens = 0
  for (const message of messages) tokens += messageTokens(message, estimator)
  return tokens
}

/** An estimator that counts a percentage of another one's tokens, but at least one for a text. */
export function scaledEstimator(of: Estimator, percent: number): Estimator {
  return {
    ...of,
    name: `${of.name} × ${(percent / 100).toFixed(2)}`,
    text: (text: string) => scaledCount(of.text(text), percent),
    scale: { of, percent },
  }
}

/** The tokens of a text, scaled. */
export function scaledCount(tokens: number, percent: number): number {
  return tokens > 0 ? Math.max(1, Math.round((tokens * percent) / 100)) : 0
}

/** The estimator that reads texts, and the percentage of its counts. */
export function scaleOf(estimator: Estimator): Scale {
  return estimator.scale ?? { of: estimator, percent: 100 }
}

/** True if two estimators give the same counts. */
export function countsAlike(a: Estimator, b: Estimator): boolean {
  const [one, other] = [scaleOf(a), scaleOf(b)]
  return a === b || (one.of === other.of && one.percent === other.percent)
}
