import { type Item, type Message, type PromptSection, partsOf, type ToolSize } from '../../model/types.ts'
import {
  type Estimator,
  type FixedTokens,
  isCertain,
  pictureTokens,
  sumOfFixed,
} from '../../tokens/estimate/estimator.ts'
import { tokensAt } from '../../tokens/sizes.ts'
import type { Status } from '../../tokens/status.ts'
import { type Context, notInLogTokens } from '../context/context.ts'
import { CONTEXT_PARTS, type ContextPartName } from './part-names.ts'
import { sumOf } from './tool-report.ts'

export type ContextPart = { readonly name: ContextPartName; readonly tokens: number }

export type ContextPartsInput = {
  /** How full the context is, as in the status. The parts add up to it. */
  readonly status: Pick<Status, 'tokens' | 'source'>
  /** The sizes of tools whose definitions are not in `fixed`: they are a part of what the provider counted beyond the log. */
  readonly tools?: readonly ToolSize[]
  /** The same for a prompt. */
  readonly prompt?: readonly PromptSection[]
}

/** The parts of the window by kind. The shares are estimated; together they are the tokens of the status. */
export function contextParts(context: CountedContext, input: ContextPartsInput): ContextPart[] {
  return partsWithin(partSizes(context), { ...input, hidden: notInLogTokens(context, input.status) })
}

type CountedContext = Parameters<typeof notInLogTokens>[0]

/** Estimated tokens by kind. */
export type PartSizes = Record<ContextPartName, number>

/** The sizes of all parts. */
export function partSizes(context: Pick<Context, 'sizes' | 'fixed'>): PartSizes {
  const { unseen: hidden = 0, ...fixed } = context.fixed.own
  const parts: PartSizes = { ...NOTHING, ...fixed, hidden }
  for (let index = 0; index < context.sizes.items.length; index++) addItem(parts, context, index)
  return parts
}

const NOTHING = Object.fromEntries(CONTEXT_PARTS.map((name) => [name, 0])) as PartSizes

/** Adds the tokens of one item of the view. */
export function addItem(parts: PartSizes, { sizes }: Pick<Context, 'sizes'>, index: number): void {
  const item = sizes.items.at(index)
  if (item === undefined) return
  for (const { name, tokens } of itemParts(item, tokensAt(sizes, index), sizes.estimator)) parts[name] += tokens
}

/** The sizes as parts that add up to exactly the tokens of the status. `hidden`: those that are neither in the log nor in the known fixed parts. */
export function partsWithin(
  sizes: PartSizes,
  { status, hidden, tools = [], prompt = [] }: ContextPartsInput & { readonly hidden: number },
): ContextPart[] {
  const { tokens: total } = status
  const fixed = sumOfFixed(sizes)
  const messages = Object.values(sizes).reduce((sum, size) => sum + size, 0) - fixed
  const known = Math.min(hidden, sumOf(tools))
  // An imported prompt is among the fixed parts already.
  const knownPrompt = sizes.system > 0 ? 0 : Math.min(hidden - known, sumOf(prompt))
  // The system prompt and the tools do not change, so the messages explain the difference to the provider's count.
  const factor = hidden === 0 || messages === 0 ? 1 : (total - fixed - hidden) / messages
  const shares = scaled(
    CONTEXT_PARTS.map((name) => {
      if (name === 'hidden') return hidden - known - knownPrompt
      if (name === 'tools') return sizes.tools + known
      if (name === 'system') return sizes.system + knownPrompt
      return sizes[name] * (name in FIXED ? 1 : factor)
    }),
    total,
  )
  return CONTEXT_PARTS.map((name, i) => ({ name, tokens: shares[i] ?? 0 }))
}

const FIXED = { system: 0, tools: 0, instructions: 0, memory: 0 } satisfies FixedTokens

function itemParts(item: Item, whole: number, estimator: Estimator): ContextPart[] {
  const { message } = item
  if (item.kind === 'summary') {
    const narrative = Math.min(whole, estimator.text(item.text))
    return [
      { name: 'summary', tokens: narrative },
      { name: 'index', tokens: whole - narrative },
    ]
  }
  const images = Math.min(whole, imageTokens(message))
  if (message.role !== 'assistant')
    return [
      { name: ROLES[message.role], tokens: whole - images },
      { name: 'images', tokens: images },
    ]
  const thoughts = partsOf(message).filter((part) => part.type === 'reasoning')
  const text = thoughts.reduce((sum, part) => sum + estimator.text(part.text), 0)
  const sealed = thoughts.reduce((sum, part) => sum + sealedTokens(part.providerOptions), 0)
  return [
    { name: 'reasoning', tokens: Math.max(text, sealed) },
    { name: 'assistant', tokens: whole - text - images },
    { name: 'images', tokens: images },
  ]
}

/** The tokens of images and of files that are not text. */
function imageTokens(message: Message): number {
  let tokens = 0
  for (const part of partsOf(message)) tokens += isCertain(part) ? 0 : pictureTokens(part)
  return tokens
}

/** A shorter text next to reasoning is an id, not its content. */
const LEAST_SEALED = 100

/**
 * The tokens of reasoning that only the provider can read: Anthropic's signature, OpenAI's encrypted content. Both are as long
 * as the reasoning; the text that comes with it is at most a summary. In recorded sessions four characters are about a token.
 */
function sealedTokens(value: unknown): number {
  if (typeof value === 'string') return value.length < LEAST_SEALED ? 0 : Math.round(value.length / 4)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, one) => sum + sealedTokens(one), 0)
}

const ROLES = { user: 'user', tool: 'tool_results', system: 'system' } as const

/** Whole numbers in proportion to the sizes that add up to exactly `total`. */
export function scaled(sizes: readonly number[], total: number): number[] {
  const sum = sizes.reduce((all, size) => all + size, 0)
  if (sum === 0) return sizes.map((_, i) => (i === 0 ? total : 0))
  const exact = sizes.map((size) => (size * total) / sum)
  const whole = exact.map(Math.floor)
  const missing = total - whole.reduce((all, size) => all + size, 0)
  const byRest = exact.map((size, i) => ({ i, rest: size - Math.floor(size) })).toSorted((a, b) => b.rest - a.rest)
  for (const { i } of byRest.slice(0, missing)) whole[i] = (whole[i] ?? 0) + 1
  return whole
}
