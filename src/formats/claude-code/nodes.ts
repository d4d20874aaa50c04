import { type Fields, fields, list, objects, text, time } from '../shared/json.ts'
import { RECORD_FIELD } from '../shared/own-record.ts'

/** A line of a Claude Code session that is part of its tree, without the fields that only its user interface needs. */
export type TreeNode = {
  readonly line: number
  /** The line in which a queued prompt was typed; `line` is where it left the queue. */
  readonly queuedAt?: number
  readonly id: string
  readonly parent: string | undefined
  /** `queued`: a prompt that was typed while the agent worked and that no other line has. */
  readonly kind: 'user' | 'assistant' | 'attachment' | 'boundary' | 'microcompact' | 'queued' | 'other'
  readonly at: number | undefined
  /** The sub-agent that it belongs to; undefined on the main line. */
  readonly agent: string | undefined
  /** The call that started the sub-agent, if the line names it. */
  readonly startedBy?: string | undefined
  readonly message: Fields | undefined
  /** The calls that it makes, and those that it answers. */
  readonly calls: readonly string[]
  readonly answers: readonly string[]
  readonly metadata: Fields | undefined
  readonly isSummary: boolean
  /** The value of our own field in a summary. */
  readonly record?: unknown
  /** Sent in the user's role, but not written by the user. */
  readonly isMeta: boolean
  /** The agent's own plan, which the user accepted: Claude Code begins a conversation with it. */
  readonly isPlan?: boolean
  /** The one that denied a call, in versions that store it: `user-rejected` for the user, and empty if nobody did. */
  readonly denial?: string
  /** Shown to the user, never sent. */
  readonly isHidden: boolean
}

/** The node of a line; undefined for lines of other kinds (titles, snapshots of files, queues). */
export function nodeOf(line: Fields, number: number): TreeNode | undefined {
  const uuid = text(line.uuid)
  if (uuid === undefined) return undefined
  const progress = line.type === 'progress' ? fields(line.data) : undefined
  if (progress?.type === 'agent_progress') return progressNode(line, number, progress)
  const isSummary = line.isCompactSummary === true
  const kind = kindOf(line)
  const message = kind === 'attachment' ? fields(line.attachment) : kind === 'other' ? undefined : fields(line.message)
  return {
    line: number,
    id: uuid,
    parent: text(line.parentUuid) ?? text(line.logicalParentUuid),
    kind,
    at: time(line.timestamp),
    agent: line.isSidechain === true ? (text(line.agentId) ?? '') : undefined,
    message,
    calls: kind === 'assistant' ? callIds(message, 'tool_use') : NONE,
    answers: kind === 'user' ? callIds(message, 'tool_result') : NONE,
    metadata: fields(line.compactMetadata) ?? fields(line.microcompactMetadata),
    isSummary,
    ...(isSummary ? { record: line[RECORD_FIELD] } : {}),
    isMeta: line.isMeta === true || isFromProgram(line),
    isPlan: typeof line.planContent === 'string',
    denial: text(line.toolDenialKind) ?? (storesDenials(line.version) ? '' : undefined),
    isHidden: line.isApiErrorMessage === true || (line.isVisibleInTranscriptOnly === true && !isSummary),
  }
}

/** Newer versions name the author of a message in the user's role, and the kind of command that waited in the queue. */
function isFromProgram(line: Fields): boolean {
  const attachment = fields(line.attachment)
  const origin = fields(line.origin) ?? fields(attachment?.origin)
  const mode = attachment?.commandMode
  return (origin !== undefined && origin.kind !== 'human') || (mode !== undefined && mode !== 'prompt')
}

/** Claude Code stores who denied a call since 2.1.205. */
function storesDenials(version: unknown): boolean {
  const [major = 0, minor = 0, patch = 0] = String(version).split('.').map(Number)
  return major > 2 || (major === 2 && (minor > 1 || (minor === 1 && patch >= 205)))
}

/** The ids of the calls that a message makes or answers. */
function callIds(message: Fields | undefined, type: 'tool_use' | 'tool_result'): readonly string[] {
  const content = message?.content
  if (!Array.isArray(content)) return NONE
  const ids: string[] = []
  for (const block of objects(content)) {
    if (block.type === type) ids.push(String(type === 'tool_use' ? block.id : block.tool_use_id))
  }
  return ids
}

const NONE: readonly string[] = []

/** The fields of a message without calls that was written and sent as it is. */
export const PLAIN = {
  calls: NONE,
  answers: NONE,
  metadata: undefined,
  isSummary: false,
  isMeta: false,
  isHidden: false,
}

function kindOf(line: Fields): TreeNode['kind'] {
  if (line.type === 'user' || line.type === 'assistant' || line.type === 'attachment') return line.type
  if (line.type !== 'system') return 'other'
  if (line.subtype === 'compact_boundary') return 'boundary'
  return line.subtype === 'microcompact_boundary' ? 'microcompact' : 'other'
}

/** Messages of a sub-agent are on the main line too, wrapped; the wrapper keeps the chain together. */
function progressNode(line: Fields, number: number, progress: Fields): TreeNode {
  const wrapped = fields(progress.message)
  return {
    line: number,
    id: String(line.uuid),
    parent: text(line.parentUuid),
    kind: wrapped?.type === 'assistant' ? 'assistant' : 'user',
    at: time(wrapped?.timestamp) ?? time(line.timestamp),
    agent: text(progress.agentId) ?? '',
    startedBy: text(line.parentToolUseID),
    message: fields(wrapped?.message),
    ...PLAIN,
  }
}

/** The ids of the messages that newer versions keep after the summary: a list of them, or the two ends of a chain. */
export function keptMessages({ metadata }: TreeNode, all: ReadonlyMap<string, TreeNode>): string[] {
  const listed = list(fields(metadata?.preservedMessages)?.uuids).map(String)
  const ends = fields(metadata?.preservedSegment)
  return listed.length > 0 || ends === undefined ? listed : chain(String(ends.headUuid), String(ends.tailUuid), all)
}

/**
 * The compactions that kept a message, by its id. Claude Code writes the lines after such a compaction as children of the last
 * kept message, which is before the compaction in the file. When it resumes, it puts the summary before the kept messages.
 */
export function compactionsByKept(
  nodes: readonly TreeNode[],
  all: ReadonlyMap<string, TreeNode>,
): ReadonlyMap<string, TreeNode> {
  const boundaries = nodes.filter((node) => node.kind === 'boundary')
  return new Map(boundaries.flatMap((node) => keptMessages(node, all).map((id): [string, TreeNode] => [id, node])))
}

function chain(head: string, tail: string, all: ReadonlyMap<string, TreeNode>): string[] {
  const ids = new Set<string>()
  for (let id: string | undefined = tail; id !== undefined && !ids.has(id); id = all.get(id)?.parent) {
    ids.add(id)
    if (id === head) return [...ids].reverse()
  }
  return []
}
