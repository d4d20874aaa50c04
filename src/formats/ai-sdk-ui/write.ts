import {
  type JsonValue,
  type Message,
  outputText,
  type Part,
  type ProviderOptions,
  partsOf,
  resultsOf,
  type ToolResultPart,
} from '../../model/types.ts'
import { isFailure, sourceOf, urlOf } from '../shared/content-parts.ts'
import { isRead, uiOrigins, type WrittenUIMessage, type WrittenUIPart } from './read.ts'

/**
 * Our messages as messages of the AI SDK's user interface. Messages from `fromUIMessages` that nobody has changed are returned as
 * the original objects. In the others the changed parts are written again, under the same id.
 */
export function toUIMessages(messages: readonly Message[]): WrittenUIMessage[] {
  const made: (WrittenUIMessage | Group)[] = []
  for (const stretch of uiOrigins.stretchesOf(messages)) {
    if ('item' in stretch) made.push(stretch.item)
    else {
      const { message } = stretch
      const item = partsOf(message)
        .map((part) => uiOrigins.itemOf(part))
        .find((known) => known !== undefined)
      const last = made.at(-1)
      if (last instanceof Group && last.takes(message, item)) last.messages.push(message)
      else made.push(new Group(message, item ?? uiOrigins.itemOf(message)))
    }
  }
  return made.map((one, i) => (one instanceof Group ? one.written(`pith-${i}`) : one))
}

/** Messages that become one message of the user interface: an answer with its steps and results. */
class Group {
  readonly messages: Message[]
  /** The message that they were read from. */
  readonly #item: WrittenUIMessage | undefined

  constructor(first: Message, item: WrittenUIMessage | undefined) {
    this.messages = [first]
    this.#item = item
  }

  takes({ role }: Message, item: WrittenUIMessage | undefined): boolean {
    if (this.messages[0]?.role === 'user' || this.messages[0]?.role === 'system') return false
    return role === 'tool' || (role === 'assistant' && item === this.#item)
  }

  written(id: string): WrittenUIMessage {
    const [first] = this.messages
    const role = first === undefined || first.role === 'tool' ? 'assistant' : first.role
    const results = new Map(this.messages.flatMap(resultsOf).map((result) => [result.toolCallId, result]))
    const steps = this.messages.filter((message) => message.role !== 'tool')
    const parts = steps.map((step) => partsOf(step).flatMap((part) => writtenPart(part, results)))
    if (this.#item !== undefined) return { ...this.#item, parts: inPlace(this.#item, parts.flat()) }
    const begin: WrittenUIPart[] = role === 'assistant' ? [{ type: 'step-start' }] : []
    return { id, role, parts: parts.flatMap((step) => [...begin, ...step.map(({ part }) => part)]) }
  }
}

/** A part, and the one that it was read from. */
type WrittenPart = { readonly part: WrittenUIPart; readonly from?: WrittenUIPart }

/** The parts in the positions of those that they were read from. Parts that no model gets stay where they are. */
function inPlace({ role, parts }: WrittenUIMessage, written: readonly WrittenPart[]): WrittenUIPart[] {
  const now = new Map(written.flatMap(({ part, from }) => (from === undefined ? [] : [[from, part] as const])))
  const fresh = written.flatMap(({ part, from }) => (from === undefined ? [part] : []))
  const stayed = parts.flatMap((part) => (isRead(part, role) ? (now.get(part) ?? []) : [part]))
  return [...stayed, ...fresh]
}

function writtenPart(part: Part, results: ReadonlyMap<string, ToolResultPart>): WrittenPart[] {
  const from = uiOrigins.blockOf<WrittenUIPart>(part)
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const words: WrittenUIPart = { type: part.type, text: part.text, ...metadataOf(part.providerOptions) }
      return [{ part: from ?? words, from }]
    }
    case 'image':
    case 'file': {
      const source = sourceOf(part)
      if (from !== undefined) return [{ part: from, from }]
      if (source === undefined) return []
      return [{ part: { type: 'file', mediaType: source.mediaType ?? 'image/png', url: urlOf(source) } }]
    }
    case 'tool-call': {
      const result = results.get(part.toolCallId)
      const isSame = from !== undefined && (result === undefined || uiOrigins.blockOf(result) === from)
      return [
        {
          part: isSame ? from : { ...toolPart(part, from as ToolUIPart | undefined), ...stateOf(part.input, result) },
          from,
        },
      ]
    }
    default:
      return []
  }
}

type ToolUIPart = Extract<WrittenUIPart, { type: 'dynamic-tool' }>

function toolPart(
  { toolCallId, toolName, providerExecuted }: Extract<Part, { type: 'tool-call' }>,
  from: ToolUIPart | undefined,
): Omit<ToolUIPart, 'state' | 'input'> {
  const executed = providerExecuted === true ? { providerExecuted } : {}
  return from ?? { type: 'dynamic-tool', toolName, toolCallId, ...executed }
}

function stateOf(input: unknown, result: ToolResultPart | undefined) {
  if (result === undefined) return { state: 'input-available' as const, input }
  const { output } = result
  if (isFailure(output)) return { state: 'output-error' as const, input, errorText: outputText(output) }
  const value: JsonValue = output.type === 'json' ? output.value : outputText(output)
  return { state: 'output-available' as const, input, output: value }
}

function metadataOf(providerOptions: ProviderOptions | undefined) {
  return providerOptions === undefined ? {} : { providerMetadata: providerOptions as UIMetadata }
}

type UIMetadata = NonNullable<Extract<WrittenUIPart, { type: 'text' }>['providerMetadata']>
