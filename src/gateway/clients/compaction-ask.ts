import type { ByteEdit } from '../bytes/splice.ts'
import type { ClientRequest, FaceRequest } from '../faces/face.ts'

/** The agents that `pith wrap` starts. */
export type ClientName = 'claude' | 'codex' | 'opencode' | 'pi' | 'gemini' | 'copilot' | 'qwen'

/** A client's own request for a summary of its conversation. */
export type CompactionAsk = {
  readonly client: ClientName
  /** The conversation, without the client's directive; absent when the request tells it as one text. */
  readonly conversation?: FaceRequest
  /**
   * Whether what the client tells begins with these words. Asked of the session's first ones, for a client that puts the
   * answer below another summary unless nothing was before.
   */
  readonly begins?: (words: string) => boolean
  /** What the user wants the summary to look at. */
  readonly focus?: string
  /** How the client takes the answer: as text, as one compaction item, or as the answer of `/responses/compact`. */
  readonly form: 'text' | 'item' | 'history'
  /** The edits that put a directive of ours into the place of the client's. */
  readonly edits: (directive: string) => readonly ByteEdit[]
  /** The path of a request with these edits, where it is not the client's own. */
  readonly path?: string
  /** The record in the tags that the client looks for. */
  readonly dressed: (record: string) => string
}

/** A request as a client's recogniser sees it. */
export type SeenRequest = { readonly request: ClientRequest; readonly read: FaceRequest }

/** Tells a client's own compaction request from all others by what that client sends and nobody else. */
export type CompactionRecogniser = (seen: SeenRequest) => CompactionAsk | undefined
