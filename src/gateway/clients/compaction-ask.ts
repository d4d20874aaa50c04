import type { ByteEdit } from '../bytes/splice.ts'
import type { ClientRequest, FaceRequest } from '../faces/face.ts'

/** The agents that `pith wrap` starts. */
export type ClientName = 'claude' | 'codex' | 'opencode' | 'pi' | 'gemini' | 'copilot' | 'qwen'

/** A client's own request for a summary of its conversation. */
export type CompactionAsk = {
  readonly client: ClientName
  /** The conversation, without the client's directive; absent when the request quotes it as one text. */
  readonly conversation?: FaceRequest
  /**
   * True if the transcript in the request begins with these words. We ask it with the session's first words, for a client
   * that puts the answer below another summary unless the transcript begins at the session's start.
   */
  readonly begins?: (words: string) => boolean
  /** The user's wish for the summary, such as the text after `/compact`. */
  readonly focus?: string
  /** How the client takes the answer: as text, as one compaction item, or as the answer of `/responses/compact`. */
  readonly form: 'text' | 'item' | 'history'
  /** The edits that replace the client's directive with ours. */
  readonly edits: (directive: string) => readonly ByteEdit[]
  /** The path of a request with these edits, if it is not the client's own. */
  readonly path?: string
  /** The record in the tags that the client looks for. */
  readonly dressed: (record: string) => string
}

/** A request as a client's recogniser sees it. */
export type SeenRequest = { readonly request: ClientRequest; readonly read: FaceRequest }

/** Recognises a client's own compaction request by something that only this client sends. */
export type CompactionRecogniser = (seen: SeenRequest) => CompactionAsk | undefined
