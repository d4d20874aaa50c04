import type { Fixed, JsonObject, JsonValue, Message } from '../../model/message/message.ts'
import type { Usage } from '../../model/provider/model-info.ts'
import type { ByteRange } from '../bytes/json-ranges.ts'

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
 * A message of a request: where it stands in the body. Its value is read when it is asked for, because a request repeats
 * all that was said before. Requests that begin alike have the same objects for what they share.
 */
export type RequestMessage = ByteRange & {
  /** Instructions for the model, of which some protocols have a message. */
  readonly instruction?: string
  /** An answer of the model begins here: no result behind it belongs to a call before it. */
  readonly opensAnswer: boolean
  /** Set where it differs from what stands in the body. */
  readonly value?: JsonValue
}

/** A message of a conversation that says something: where it stands, and the value of the conversation up to it. */
export type ChainStep = {
  readonly value: string
  /** The place of the request's message that it is in. */
  readonly at: number
  /** Its place among the messages of ours that this one comes to. */
  readonly piece: number
  /** It has a call or a result. */
  readonly usesTools: boolean
}

/** What a message of a request says in the conversation of an owner: its steps, and the value up to it. */
export type MessageNote = { readonly owner: string; readonly value: string; readonly chain: readonly ChainStep[] }

/** A request for an answer, read. A changed request is the body with ranges replaced. */
export type FaceRequest = {
  readonly face: FaceName
  /** The request says that it comes from Claude Code. */
  readonly isClaudeCode: boolean
  readonly model: string
  readonly isStream: boolean
  /** The body, decoded. */
  readonly body: Buffer
  readonly messages: readonly RequestMessage[]
  /** What was found out about messages. Requests that begin alike share it. */
  readonly notes: WeakMap<RequestMessage, MessageNote>
  /** The range of the list of messages, brackets included. */
  readonly list: ByteRange
  /** The parts of the request beside its messages. */
  readonly fixed: Fixed
}

/** The parts of a request beside its messages. */
export type RequestHead = Pick<FaceRequest, 'model' | 'isStream' | 'fixed'>

/** An answer of a provider as a message of ours, with the usage that it reported. */
export type FaceAnswer = {
  readonly message?: Message
  readonly usage?: Usage
  readonly model?: string
  readonly end?: AnswerEnd
}

/** One protocol: how a request and an answer of it are read. */
export type Face = {
  readonly name: FaceName
  /** True for the path of a request for an answer, without its query. */
  isConversation(path: string): boolean
  /** The member of the body that has the messages. */
  readonly messagesKey: string
  /** What the body and the path say beside the messages. */
  head(json: Readonly<JsonObject>, path: string): RequestHead
  /** The instructions that a message has, where they are messages. */
  instructionOf?(value: JsonValue): string | undefined
  /** Whether a message is of the model or of others. One that is of nobody does not end an answer of several messages. */
  speakerOf(value: JsonValue): 'model' | 'others' | 'nobody'
  /**
   * The messages of a request as ours, a list for each of them. Instructions among them are left out. `from`: how many
   * messages stand before them.
   */
  messagesOf(values: readonly JsonValue[], from?: number): Message[][]
  /** The answer from the text of a response; undefined when it is none, or was broken off. `place`: how many messages stand before it. */
  answerOf(text: string, place: number): FaceAnswer | undefined
}

/** How an answer ended: where the model was done, at the most tokens that it may have, or otherwise. */
type AnswerEnd = 'stop' | 'length' | 'other'

/** The end of an answer by the reason that a provider tells, in any protocol. Some servers tell none. */
export function answerEnd(reason: unknown): AnswerEnd {
  if (typeof reason !== 'string') return 'stop'
  if (AT_LIMIT.test(reason)) return 'length'
  return STOPPED.test(reason) ? 'other' : 'stop'
}

const AT_LIMIT = /^(?:max_tokens|max_output_tokens|length|model_context_window_exceeded)$/i
/** Servers have many words for an end that is as it should be, or say nothing, so those for a stop are listed. */
const STOPPED =
  /^(?:refusal|pause_turn|compaction|content_filter|(?:image_)?(?:prohibited_content|safety|recitation|other)|no_image|language|blocklist|spii|malformed_\w+|unexpected_tool_call|too_many_tool_calls|missing_thought_signature|guardrail_intervened|cancell?ed|failed|incomplete|in_progress|queued|aborted|abort|error|insufficient_system_resource|network_error|sensitive)$/i
