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
  const text = (value: string | undefined) => (value === undefined ? 0 : estimator.text(value))
  return {
    system: text(fixed.system),
    tools: (fixed.tools ?? []).reduce((sum, tool) => sum + estimator.text(jsonText(tool)), 0),
    instructions: text(fixed.instructions),
    memory: text(fixed.memory),
  }
}

/** The tokens of all fixed parts together. */
export function fixedTotal(fixed: Fixed, estimator: Estimator): number {
  return sumOfFixed(fixedTokens(fixed, estimator))
}

export function sumOfFixed({ system, tools, instructions, memory }: FixedTokens): number {
  return system + tools + instructions + memory
}

export type FixedTokens = {
  readonly system: number
  readonly tools: number
  readonly instructions: number
  readonly memory: number
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
