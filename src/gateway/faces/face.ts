import type { RawEvent } from '../../contract/event-reader.ts'
import type { Client } from '../../engine/extract/text/clients.ts'
import type { Fixed, JsonObject, JsonValue, Message, ProviderReduction, Usage } from '../../model/types.ts'
import type { ByteRange } from '../bytes/json-ranges.ts'
import type { OwnAnswer, RenderedAnswer } from './own-answer.ts'

/** The protocols that a client may speak. */
export type FaceName = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini'

/** A request of a client. Its headers hold the client's key: they are passed on in memory, and never stored or logged. */
export type ClientRequest = {
  readonly method: string
  /** Without the gateway's prefix and the name of the upstream, with the query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * A message of a request, by its range in the body. Its value is parsed only when somebody asks for it, because a request
 * repeats the whole conversation. Requests that begin alike share the objects of their common messages.
 */
export type RequestMessage = ByteRange & {
  /** Instructions for the model, in the protocols that have them as messages. */
  readonly instruction?: string
  /** An answer of the model begins here: no result after it belongs to a call before it. */
  readonly opensAnswer: boolean
  /** Set if it differs from the value in the body. */
  readonly value?: JsonValue
}

/** A message of a conversation that has content: its position, and the hash of the conversation up to it. */
export type ChainStep = {
  readonly value: string
  /** The position of the request's message that contains it. */
  readonly at: number
  /** Its position among our messages: one message of a request can become several of ours. */
  readonly piece: number
  /** It has a call or a result. */
  readonly usesTools: boolean
}

/** The steps that a message of a request became for an owner, and the hash of the conversation up to it. */
export type MessageNote = { readonly owner: string; readonly value: string; readonly chain: readonly ChainStep[] }

/** A request for an answer, read. A changed request is the body with ranges replaced. */
export type FaceRequest = {
  readonly face: FaceName
  /** The client that the request's headers name, if we know it. */
  readonly client: Client | undefined
  readonly model: string
  readonly isStream: boolean
  /** The body, decoded. */
  readonly body: Buffer
  readonly messages: readonly RequestMessage[]
  /** The steps of messages that were read before. Requests that begin alike share them. */
  readonly notes: WeakMap<RequestMessage, MessageNote>
  /** The range of the list of messages, brackets included. */
  readonly list: ByteRange
  /** The parts of the request beside its messages. */
  readonly fixed: Fixed
  /**
   * The id under which the provider has the conversation so far: of its last answer, or of the conversation. The messages
   * are only those that are new.
   */
  readonly continues?: string
  /** The request has one text instead of a list of messages. */
  readonly isOneText?: true
  /** The definitions of tools in the request that this one continues, as they were sent, if this one has none. */
  readonly toolsBefore?: string
}

/** The parts of a request beside its messages. */
export type RequestHead = Pick<FaceRequest, 'model' | 'isStream' | 'fixed' | 'continues'>

/** An answer of a provider as a message of ours, with the usage that it reported. */
export type FaceAnswer = {
  readonly message?: Message
  readonly usage?: Usage
  readonly model?: string
  readonly end?: AnswerEnd
  /** Why the provider's cache did not help, in its own word, and how many tokens that concerned. Only clients that ask for it get this. */
  readonly cacheMiss?: { readonly reason: string; readonly tokens?: number }
  /** The ids under which the provider has the conversation up to this answer. */
  readonly heldAs?: readonly string[]
  /** The reductions of the context that the provider made by itself. */
  readonly reduced?: readonly ProviderReduction[]
  /** The tokens of the provider's own compaction. `usage` does not have them. */
  readonly compactionUsage?: Usage
}

/** One protocol: how a request and an answer of it are read. */
export type Face = {
  readonly name: FaceName
  /** True for the path of a request for an answer, without its query. */
  isConversation(path: string): boolean
  /** The member of the body that has the messages. */
  readonly messagesKey: string
  /** The message that a text instead of a list of messages means, in the protocols that allow it. */
  messageOfText?(text: string): JsonValue
  /** The model, the system prompt and the tools, from the body and the path. */
  head(json: Readonly<JsonObject>, path: string): RequestHead
  /** The instructions in a message, in the protocols that have them as messages. */
  instructionOf?(value: JsonValue): string | undefined
  /** The author of a message. An answer may have several messages; one by `nobody` between them does not end it. */
  speakerOf(value: JsonValue): 'model' | 'others' | 'nobody'
  /**
   * Our messages for each message of a request. Instructions among them are left out. `from`: how many messages are before
   * them.
   */
  messagesOf(values: readonly JsonValue[], from?: number): Message[][]
  /** The answer in the text of a response; undefined when there is none, or it was broken off. `place`: how many messages are before it. */
  answerOf(text: string, place: number): FaceAnswer | undefined
  /** The usage that the text of a response reports, also if the answer was broken off. */
  usageIn(text: string): Usage | undefined
  /** True for the event that completes an answer. Some clients hang up at it, before the stream has ended. */
  isLast(event: RawEvent): boolean
  /** An event without content, for a client that waits for an answer of ours: it shows that the connection lives. */
  readonly signOfLife: string
  /** A text of ours as an answer of the protocol, streamed or whole as the client asked. */
  render(answer: OwnAnswer): RenderedAnswer
}

/** How an answer ended: the model was done, the token limit was reached, or something else. */
type AnswerEnd = 'stop' | 'length' | 'other'

/** How an answer ended, from the reason that a provider reports in any protocol. Some servers report none. */
export function answerEnd(reason: unknown): AnswerEnd {
  if (typeof reason !== 'string') return 'stop'
  if (AT_LIMIT.test(reason)) return 'length'
  return STOPPED.test(reason) ? 'other' : 'stop'
}

const AT_LIMIT = /^(?:max_tokens|max_output_tokens|length|model_context_window_exceeded)$/i
/** Servers have many words for a normal end, or send none, so this lists the words for all other ends. */
const STOPPED =
  /^(?:refusal|pause_turn|compaction|content_filter|(?:image_)?(?:prohibited_content|safety|recitation|other)|no_image|language|blocklist|spii|malformed_\w+|unexpected_tool_call|too_many_tool_calls|missing_thought_signature|guardrail_intervened|cancell?ed|failed|incomplete|in_progress|queued|aborted|abort|error|insufficient_system_resource|network_error|sensitive)$/i
