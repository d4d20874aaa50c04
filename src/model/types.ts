import type { z } from 'zod'
import type * as entry from './entry.ts'
import type * as parts from './entry-parts-schema.ts'
import type { Items } from './items.ts'
import type * as models from './model-info-schema.ts'
import type { Style } from './policy/policy.ts'

/**
 * The vocabulary of the program in one file, in the order in which it is best read: messages, the entries of the log, facts
 * from it, the view, models. Types come from the schemas by \`import type\`, so that a page that uses them does not load zod.
 *
 * Messages have the shape of the AI SDK's \`ModelMessage\`, so that its users need not convert anything.
 * \`messageSchema\` (message-schema.ts) parses them and makes them safe to store as JSON.
 */

/** The place of an entry in its session's log: 1, 2, 3 …, assigned by the log, never by a database. */
export type Seq = number

/** The name of an entry, unique over all sessions. */
export type EntryId = string

export type JsonValue = null | string | number | boolean | Readonly<JsonObject> | readonly JsonValue[]
export type JsonObject = { [key: string]: JsonValue | undefined }
export type ProviderOptions = Record<string, JsonObject>

type Extra = { providerOptions?: ProviderOptions }
type Bytes = string | Uint8Array | ArrayBuffer
type ProviderReference = Record<string, string>

/** The bytes of an image or a file, a URL of it, or the provider's name for it. */
export type FileData =
  | { type: 'data'; data: Bytes }
  | { type: 'url'; url: URL }
  | { type: 'reference'; reference: ProviderReference }
  | { type: 'text'; text: string }

export type TextPart = Extra & { type: 'text'; text: string }
export type ImagePart = Extra & { type: 'image'; image: Bytes | URL | ProviderReference; mediaType?: string }
export type FilePart = Extra & {
  type: 'file'
  data: FileData | Bytes | URL | ProviderReference
  filename?: string
  mediaType: string
}
export type ReasoningPart = Extra & { type: 'reasoning'; text: string }
export type ReasoningFilePart = Extra & {
  type: 'reasoning-file'
  data: Extract<FileData, { type: 'data' | 'url' }> | Bytes | URL
  mediaType: string
}
export type CustomPart = Extra & { type: 'custom'; kind: `${string}.${string}` }
export type ToolCallPart = Extra & {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: unknown
  providerExecuted?: boolean
}
export type ToolResultPart = Extra & {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: ToolResultOutput
}
export type ToolApprovalRequest = {
  type: 'tool-approval-request'
  approvalId: string
  toolCallId: string
  reason?: string
  isAutomatic?: boolean
  signature?: string
  inputSchemaInput?: unknown
}
export type ToolApprovalResponse = {
  type: 'tool-approval-response'
  approvalId: string
  approved: boolean
  reason?: string
  providerExecuted?: boolean
}

export type ToolResultOutput = Extra &
  (
    | { type: 'text' | 'error-text'; value: string }
    | { type: 'json' | 'error-json'; value: JsonValue }
    | { type: 'execution-denied'; reason?: string }
    | { type: 'content'; value: ToolResultContent[] }
  )

/** We read only some kinds of the AI SDK's content; the others (files, images, references) are kept unchanged. */
export type ToolResultContent =
  | (Extra & { type: 'text'; text: string })
  | (Extra & { type: 'file'; data: FileData; mediaType: string; filename?: string })
  | (Extra & { type: 'file-data' | 'image-data'; data: string; mediaType: string; filename?: string })
  | (Extra & { type: 'file-url' | 'image-url'; url: string; mediaType?: string })
  | (Extra & { type: 'file-id' | 'image-file-id'; fileId: string | Record<string, string> })
  | (Extra & { type: 'file-reference' | 'image-file-reference'; providerReference: ProviderReference })
  | (Extra & { type: 'custom' })

export type UserPart = TextPart | ImagePart | FilePart
export type AssistantPart =
  | TextPart
  | CustomPart
  | FilePart
  | ReasoningPart
  | ReasoningFilePart
  | ToolCallPart
  | ToolResultPart
  | ToolApprovalRequest
export type ToolPart = ToolResultPart | ToolApprovalResponse
export type Part = UserPart | AssistantPart | ToolPart

export type SystemMessage = Extra & { role: 'system'; content: string }
export type UserMessage = Extra & { role: 'user'; content: string | UserPart[] }
export type AssistantMessage = Extra & { role: 'assistant'; content: string | AssistantPart[] }
export type ToolMessage = Extra & { role: 'tool'; content: ToolPart[] }

/** A message in the AI SDK's form (`ModelMessage`). */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

/** The parts of a message; a plain string is one text part. */
export function partsOf(message: Message): readonly Part[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
}

/** The tool calls in a message. */
export function callsOf(message: Message): readonly ToolCallPart[] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return []
  return message.content.filter((part) => part.type === 'tool-call')
}

/** The tool results in a message: in a tool message, or in an assistant's for a tool that the provider ran. */
export function resultsOf(message: Message): readonly ToolResultPart[] {
  if (typeof message.content === 'string' || (message.role !== 'assistant' && message.role !== 'tool')) return []
  return (message.content as readonly Part[]).filter((part) => part.type === 'tool-result')
}

/** The text of a message: its text parts, without reasoning, calls and results. */
export function textOf(message: Message): string {
  if (typeof message.content === 'string') return message.content
  let text: string | undefined
  for (const part of message.content) {
    if (part.type === 'text') text = text === undefined ? part.text : `${text}\n${part.text}`
  }
  return text ?? ''
}

/** The text of a tool result as the model reads it. */
export function outputText(output: ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return jsonText(output.value)
    case 'execution-denied':
      return output.reason ?? 'Execution denied.'
    case 'content':
      return output.value.map((content) => (content.type === 'text' ? content.text : `[${content.type}]`)).join('\n')
  }
}

/** The JSON text of a value; the empty text for a value that JSON cannot express (undefined, a cycle, a BigInt). */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** A tool as it is declared to the model. The schema is counted as JSON. */
export type ToolSchema = { name: string; description?: string | undefined; inputSchema?: unknown }

/** A reduction of the context that the provider made by itself. */
export type ProviderReduction = z.infer<typeof parts.providerReductionSchema>

/** The size of a tool's definition in each request. */
export type ToolSize = z.infer<typeof parts.toolSizeSchema>

/** The size of a section of the system prompt in each request. */
export type PromptSection = z.infer<typeof parts.promptSectionSchema>

/** The parts of every request besides the view. They cannot be compacted. */
export type Fixed = {
  readonly system?: string
  readonly tools?: readonly ToolSchema[]
  /** From `AGENTS.md`. */
  readonly instructions?: string
  /** From `MEMORY.md`. */
  readonly memory?: string
  /** The tokens of parts whose text we do not have, such as the prompt and the tools of another agent. */
  readonly unseenTokens?: number
  /** The provider's last count has other parts than these: another agent sent that request. */
  readonly isOfOther?: true
}

/** Words of the user in a message, found by the reader that saw the message's structure, never by the content of a text. */
export type UserWords = z.infer<typeof parts.userWordsSchema>

/** A call as the client ran it, with arguments that the client changed. */
export type ChangedCall = z.infer<typeof parts.changedCallSchema>

/** One item of a to-do list. */
export type Todo = z.infer<typeof parts.todoSchema>

/** The SHA-256 of a file's content; `null` if there is no file. */
export type FileState = z.infer<typeof parts.fileStateSchema>

/** A file before and after a change. */
export type KeptFile = z.infer<typeof parts.keptFileSchema>

/** Why a compaction ran: the user asked for it, the trigger was reached, the provider refused the request, or the window was nearly full. */
export type Reason = z.infer<typeof entry.reasonSchema>

/** One step of a repair. It names places and copies no text, so that a redaction need not search for copies. */
export type RepairChange = z.infer<typeof entry.repairChangeSchema>

/**
 * Shortens one item that is too large: each of its texts keeps this many characters of its head and tail. With `pieces`
 * only these texts and files change, each by its own numbers; `head` and `tail` are the sums.
 */
export type Squeeze = z.infer<typeof entry.squeezeSchema>

/** The characters that one text keeps; a file is left out. `at` counts the texts and files of the message from 0. */
export type SqueezedPiece = z.infer<typeof entry.squeezedPieceSchema>

/** A part of the log that is left out of the view: the items of a range, or only the results of some of its calls. */
export type LeftOutTarget = z.infer<typeof entry.leftOutTargetSchema>

/** How a model counts compared with an estimator; by default the feature estimator. `model` is absent if no report named it. */
export type ModelCalibration = z.infer<typeof entry.modelCalibrationSchema>

/** How a provider's count of a context differs from our estimate. */
export type Drift = z.infer<typeof entry.driftSchema>

/** The origin of an imported session, and how it was measured there. */
export type Origin = z.infer<typeof entry.originSchema>

/** One item of the log. The log is append-only: a compaction, an undo and a redaction are entries, too. */
export type Entry = z.infer<typeof entry.entrySchema>

export type EntryOf<T extends Entry['type']> = Extract<Entry, { type: T }>

/** An entry before the log has given it an id, a seq and a time. */
export type EntryDraft = Entry extends infer E ? (E extends Entry ? Omit<E, 'id' | 'seq' | 'at'> : never) : never

/**
 * A file that tool calls read or changed. Each number is the last entry that did so; `first` is the first that changed it.
 * `access` is the result of all of them. If a folder was deleted, moved or reverted, that applies to all files in it.
 */
export type FileFact = z.infer<typeof parts.fileFactSchema>

/** A commit that the agent made. */
export type CommitFact = z.infer<typeof parts.commitFactSchema>

/** Other events in the repository. */
export type GitFact = z.infer<typeof parts.gitFactSchema>

/** A file that one of our tools read or changed, as the tool reports it. Without a hash the model has not seen the change. */
export type SeenFile = z.infer<typeof parts.seenFileSchema>

/** A command that was run, how often, and how the last run ended. */
export type CommandFact = z.infer<typeof parts.commandFactSchema>

/** An error that a tool reported, in its own lines, with the command and the file. */
export type ErrorFact = z.infer<typeof parts.errorFactSchema>

/** A to-do list as it was written, or a change of one of its items. */
export type TodoFact = z.infer<typeof parts.todoFactSchema>

/** A sentence in which the user set a limit, verbatim. */
export type ConstraintFact = z.infer<typeof parts.constraintFactSchema>

/** A name that has to be right to the letter, from the user's or the agent's words or from an error. */
export type IdentifierFact = z.infer<typeof parts.identifierFactSchema>
export type PrintedLine = z.infer<typeof parts.printedLineSchema>

/** The user's words, verbatim. If a text was too long, it is its head and tail, and `length` is its full length. */
export type UserFact = z.infer<typeof parts.userFactSchema>

/** The effect of one call on a file with instructions, or on what the agent knows of it. */
export type InstructionFileFact = z.infer<typeof parts.instructionFileSchema>

/** The facts derived from the log for a span. Each compaction stores what its own span adds; the whole index is their merge. */
export type Index = z.infer<typeof parts.indexSchema>

/** The facts that one span adds: only the kinds that it has. */
export type IndexDelta = z.infer<typeof parts.indexDeltaSchema>

/** A function, class, heading, key or the like in a file, and whether the file had it before `first` and has it after `last`. */
export type SymbolFact = z.infer<typeof parts.symbolFactSchema>

/** Lines that an edit removed (`-`) and added (`+`), clipped. */
export type Hunk = z.infer<typeof parts.hunkSchema>

/** The effect of the edits of one file on its text. The state of the file itself is in its `FileFact`. */
export type ChangeFact = z.infer<typeof parts.changeFactSchema>

/** A paragraph of an agent: of its last text of a turn (`answer`), or of a text before calls or of a report (`reason`). */
export type StatementFact = z.infer<typeof parts.statementFactSchema>
export type NarrativeFact = z.infer<typeof parts.narrativeFactSchema>
export type RecordPart = z.infer<typeof parts.recordPartSchema>

/** A message of the view, as the model sees it now (masked, squeezed or redacted if an entry says so). */
export type MessageItem = {
  readonly kind: 'message'
  readonly seq: Seq
  /** The item's place in the order of the log: its seq, except for a message that a repair added. */
  readonly place: Seq
  readonly message: Message
  /** The time of the message, if the log has it. */
  readonly at?: number
  readonly pinned: boolean
  /** The files that the tools of these results read and wrote. */
  readonly files?: readonly SeenFile[]
  /** The part of the message that the user said, if its reader knows it or the message was rewritten since. */
  readonly userWords?: readonly UserWords[]
  /** The open calls that the client has run with other arguments. */
  readonly calls?: readonly ChangedCall[]
  /** Set if the message is only a line instead of these messages, or has one instead of some of its results. Facts still come from them. */
  readonly leftOut?: LeftOutItems
}

/** The messages that a leave-out hides, and its entry. */
export type LeftOutItems = { readonly by: Seq; readonly items: readonly MessageItem[] }

/** True for an item that replaces whole messages with a line. */
export function isLeftOutLine(item: Item | undefined): item is MessageItem & { readonly leftOut: LeftOutItems } {
  return item?.kind === 'message' && item.leftOut !== undefined && item.seq === item.leftOut.by
}

/** The summary that replaces a range of the log. `seq` is that of the compaction. */
export type SummaryItem = {
  readonly kind: 'summary'
  readonly seq: Seq
  readonly place: Seq
  readonly from: Seq
  readonly upTo: Seq
  /** The number of messages of the log that it replaces. */
  readonly standsFor: number
  readonly message: Message
  readonly text: string
  /** True if a model or the user wrote the text. If false, it was made from facts in the index. */
  readonly written: boolean
  /** The other agent that wrote it. */
  readonly by?: string
  readonly frame: Style
  readonly index: Index
  readonly pinned: false
}

export type Item = MessageItem | SummaryItem

/** The messages that the model would see now: a fold over the log. */
export type View = {
  readonly items: Items
  /** The last entry that changed the view in any way except appending a message; 0 if there was none. */
  readonly revision: Seq
  /** The last compaction, mask, squeeze or undo; growth is counted from here. */
  readonly settled: Seq
  readonly settledBy?: 'compaction' | 'mask' | 'squeeze' | 'undo'
  /** The last entry of the log that the view includes. */
  readonly lastSeq: Seq
  readonly anchor?: Anchor
  /** How a provider counted the view before its last reduction. It has not been counted since. */
  readonly drift?: Drift
  /** The tokens of a request that no message has, as known at the last compaction: its agent's prompt and tools. */
  readonly unseenTokens?: number
}

/** The provider's own count of the first `items` items of the view and of everything sent with them. */
export type Anchor = {
  readonly items: number
  readonly tokens: number
  readonly model?: string
  /** The part that was sent: without the answer, which is the last of the items. */
  readonly input: number
  /** The provider itself left out a part of these items. */
  readonly isReduced?: true
}

/** A view as if no provider had counted it. */
export function uncounted(view: View): View {
  return { ...view, anchor: undefined, drift: undefined, unseenTokens: undefined }
}

/** True for a message of the user; false for a summary in the user role, and for a line about messages that were left out. */
export function isUserMessage(item: Item | undefined): item is MessageItem & { readonly message: UserMessage } {
  return item?.kind === 'message' && item.message.role === 'user' && !isLeftOutLine(item)
}

/**
 * The messages of a view, in order. A summary has the role of its frame.
 *
 * @example
 * ```ts
 * import { logOf, messagesOf, viewOf } from 'pith'
 *
 * console.log(messagesOf(viewOf(logOf(messages))).length === messages.length)
 * ```
 */
export function messagesOf(view: View): Message[] {
  return view.items.slice().map((item) => item.message)
}

/** US dollars per million tokens. A request whose prompt has more tokens than `long.above` is charged by `long` alone. */
export type Prices = z.infer<typeof models.pricesSchema>

/** How strong and how expensive a model is among those of its provider. `standard` models are used for summaries. */
export type Tier = z.infer<typeof models.tierSchema>

export type InputKind = z.infer<typeof models.inputKindSchema>

/** The registry's facts about a model. An unknown window is absent; there is no default. */
export type ModelInfo = z.infer<typeof models.modelInfoSchema>

/** The provider of an unknown model. */
export const NO_PROVIDER = 'none'

/** The name of a model that may be only partly known, if that is enough to compare it. */
export function knownName({ provider, model }: Partial<ModelInfo>): string | undefined {
  return provider === undefined || model === undefined || provider === NO_PROVIDER
    ? undefined
    : modelName({ provider, model })
}

/** The name users write: `provider/model`. */
export function modelName(info: Pick<ModelInfo, 'provider' | 'model'>): string {
  return `${info.provider}/${info.model}`
}

/** The token counts that a provider reported for one call. `inputTokens` includes cache reads and writes, `outputTokens` reasoning. */
export type Usage = z.infer<typeof parts.usageSchema>

/** The usage of several calls together. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: sum(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: sum(a.cacheWriteTokens, b.cacheWriteTokens),
    cacheWriteHourTokens: sum(a.cacheWriteHourTokens, b.cacheWriteHourTokens),
    reasoningTokens: sum(a.reasoningTokens, b.reasoningTokens),
  }
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
}

/** A request for a summary. It declares no tools and has no tool parts. */
export type SummaryRequest = {
  readonly system: string
  readonly messages: readonly Message[]
  /** If absent, the provider decides. */
  readonly maxOutputTokens?: number
  /** An upper bound of the tokens of its messages by our own count. Absent if they were not counted. */
  readonly mostTokens?: number
}

/** A piece of a model's answer. A plain string is text; a stream that simply ends has finished. */
export type ModelChunk =
  | string
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly name: string }
  /** The call failed and will be tried again after a pause. A failed call may have to be paid for, too. */
  | { readonly type: 'retry'; readonly inMs: number; readonly reason: string; readonly usage?: Usage }
  | { readonly type: 'finish'; readonly reason: 'stop' | 'length' | 'other'; readonly usage?: Usage }
  | { readonly type: 'error'; readonly error: unknown; readonly usage?: Usage }

/** The session's own model after its last request: the directive is one more message, everything else stays the same. */
export type WarmModel = {
  readonly name: string
  /** A client sends this history for a summary in any case, so it is asked even if the window seems to have no room left. */
  readonly isSentAnyway?: true
  readonly prices?: Prices
  readonly stream: (directive: string, signal: AbortSignal) => AsyncIterable<ModelChunk>
}

/** A model as the engine uses it: a name, a window, and a stream that ends when the signal aborts. */
export type SummaryModel = {
  readonly name: string
  readonly window?: number
  readonly prices?: Prices
  readonly stream: (request: SummaryRequest, signal: AbortSignal) => AsyncIterable<ModelChunk>
}
