import type { Fixed } from '../../model/fixed.ts'
import type { JsonObject, JsonValue, Message } from '../../model/message.ts'
import type { Usage } from '../../model/usage.ts'
import type { TextRange } from '../bytes/json-ranges.ts'

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

/** A message of a request: where it stands in the body's text, and its value. */
export type RequestMessage = TextRange & { readonly value: JsonValue }

/** A request for an answer, read. Nothing is written from `json`: a changed request is the text with ranges replaced. */
export type FaceRequest = {
  readonly face: FaceName
  readonly model: string
  readonly isStream: boolean
  /** The body. */
  readonly text: string
  readonly json: Readonly<JsonObject>
  readonly messages: readonly RequestMessage[]
  /** The range of the list of messages, brackets included. */
  readonly list: TextRange
  /** The parts of the request beside its messages. */
  readonly fixed: Fixed
}

/** An answer of a provider as a message of ours, with the usage that it reported. */
export type FaceAnswer = { readonly message?: Message; readonly usage?: Usage; readonly model?: string }

/** One protocol: how a request and an answer of it are read. */
export type Face = {
  readonly name: FaceName
  /** True for the path of a request for an answer, without its query. */
  isConversation(path: string): boolean
  /** The member of the body that has the messages. */
  readonly messagesKey: string
  /** What the body and the path say beside the messages. */
  head(json: Readonly<JsonObject>, path: string): Pick<FaceRequest, 'model' | 'isStream' | 'fixed'>
  /** The messages of a request as ours, a list for each of them. Instructions among them are left out. */
  messagesOf(values: readonly JsonValue[]): Message[][]
  /** The answer from the text of a response; undefined when it is none, or was broken off. `place`: how many messages stand before it. */
  answerOf(text: string, place: number): FaceAnswer | undefined
}
