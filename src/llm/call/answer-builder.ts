import { randomUUID } from 'node:crypto'
import {
  type AssistantMessage,
  type AssistantPart,
  callsOf,
  type JsonValue,
  type Message,
  type ProviderOptions,
} from '../../model/types.ts'
import type { SdkStreamPart } from '../provider/language-model.ts'
import type { ModelEvent } from './chat-model.ts'

type Block = Extract<AssistantPart, { type: 'text' | 'reasoning' }>

/** Builds an answer from the parts of its stream, and returns the events to show immediately. */
export class AnswerBuilder {
  readonly #parts: AssistantPart[] = []
  readonly #open = new Map<string, Block>()
  readonly #before: readonly Message[]
  #ids: Set<string> | undefined

  /** `before` is the conversation, to make ids of calls unique: some local servers number their calls from zero in every answer, or give no ids. */
  constructor(before: readonly Message[]) {
    this.#before = before
  }

  /** Takes one part of the stream and returns its events. */
  take(part: SdkStreamPart): readonly ModelEvent[] {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#start(part)
        return []
      case 'text-delta':
      case 'reasoning-delta':
        return this.#add(part)
      case 'text-end':
      case 'reasoning-end':
        this.#note(blockKey(part), part.providerMetadata)
        this.#open.delete(blockKey(part))
        return []
      case 'tool-input-start':
        return [{ type: 'tool-input', toolCallId: part.id, toolName: part.toolName }]
      case 'tool-call':
        return [this.#call(part)]
      case 'file':
      case 'reasoning-file':
        this.#parts.push({
          type: part.type,
          data: part.data,
          mediaType: part.mediaType,
          ...extra(part),
        } as AssistantPart)
        return []
      case 'custom':
        // This part only announces the message, and must not be sent back.
        if (part.kind !== 'anthropic.message_start') {
          this.#parts.push({ type: 'custom', kind: part.kind, ...extra(part) })
        }
        return []
      case 'tool-result':
        this.#result(part)
        return []
      default:
        return []
    }
  }

  /** True when the answer has no text, no reasoning and no call. */
  get isEmpty(): boolean {
    return this.#content().length === 0
  }

  get hasCalls(): boolean {
    return this.#parts.some((part) => part.type === 'tool-call' && part.providerExecuted !== true)
  }

  /** The whole answer, for the log. */
  message(): AssistantMessage {
    return { role: 'assistant', content: this.#content() }
  }

  #content(): AssistantPart[] {
    return this.#parts.filter((part) => !isBlock(part) || part.text !== '' || part.providerOptions !== undefined)
  }

  #start(part: Extract<SdkStreamPart, { type: 'text-start' | 'reasoning-start' }>): void {
    const block: Block = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '', ...extra(part) }
    this.#parts.push(block)
    this.#open.set(blockKey(part), block)
  }

  #add(part: Extract<SdkStreamPart, { type: 'text-delta' | 'reasoning-delta' }>): readonly ModelEvent[] {
    const block = this.#open.get(blockKey(part))
    if (block === undefined) return []
    block.text += part.delta
    this.#note(blockKey(part), part.providerMetadata)
    return part.delta === '' ? [] : [{ type: block.type, text: part.delta }]
  }

  /** The latest metadata counts: a signature comes at the end of its block. */
  #note(key: string, metadata: Metadata): void {
    const block = this.#open.get(key)
    if (block !== undefined && metadata !== undefined) block.providerOptions = metadata as ProviderOptions
  }

  #call(part: Extract<SdkStreamPart, { type: 'tool-call' }>): ModelEvent {
    const { toolName, providerExecuted } = part
    const toolCallId = this.#unique(part.toolCallId)
    const input = inputOf(part.input)
    const executed = providerExecuted === true ? { providerExecuted } : {}
    this.#parts.push({ type: 'tool-call', toolCallId, toolName, input, ...executed, ...extra(part) })
    return { type: 'tool-call', toolCallId, toolName, input }
  }

  #unique(id: string): string {
    this.#ids ??= new Set(this.#before.flatMap((message) => callsOf(message).map((call) => call.toolCallId)))
    const unique = id === '' || this.#ids.has(id) ? `call_${randomUUID()}` : id
    this.#ids.add(unique)
    return unique
  }

  #result(part: Extract<SdkStreamPart, { type: 'tool-result' }>): void {
    const { toolCallId, toolName, isError } = part
    const output = { type: isError === true ? 'error-json' : 'json', value: part.result as JsonValue } as const
    this.#parts.push({ type: 'tool-result', toolCallId, toolName, output, ...extra(part) })
  }
}

type Metadata = { readonly [provider: string]: unknown } | undefined

function extra({ providerMetadata }: { providerMetadata?: Metadata }): { providerOptions?: ProviderOptions } {
  return providerMetadata === undefined ? {} : { providerOptions: providerMetadata as ProviderOptions }
}

/** Some providers number text and reasoning blocks separately. */
function blockKey({ type, id }: { type: string; id: string }): string {
  return `${type.split('-', 1)[0]} ${id}`
}

/** Arguments that are not JSON are passed on as text, so that the model gets an error about them. */
function inputOf(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isBlock(part: AssistantPart): part is Block {
  return part.type === 'text' || part.type === 'reasoning'
}
