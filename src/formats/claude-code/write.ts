import { resultsOf, type ToolCallPart, type ToolResultPart } from '../../model/types.ts'
import type { AnthropicBlock } from '../anthropic/read.ts'
import { anthropicId, assistantBlocks, callBlock, resultBlock, userBlocks } from '../anthropic/write.ts'
import { contentsOf, textOutput } from '../shared/content-parts.ts'
import type { AgentFile, WriteDeps, WriteInput } from '../shared/format.ts'
import { claudeRefusal, claudeRejection } from '../shared/user-words.ts'
import { isoTime, jsonLines, type KeptMessage, titleOf, viewPartsOf } from '../shared/view-parts.ts'

/** The version of Claude Code that was seen to resume these files. */
const SEEN_VERSION = '2.1.325'

/** Writes a session that Claude Code resumes: a boundary and the summary as it writes them itself, then the tail. */
export function writeClaudeCode(session: WriteInput, deps: WriteDeps): AgentFile {
  const { ids, clock } = deps
  const sessionId = ids()
  const workspace = session.workspace ?? '/'
  const view = viewPartsOf(session.entries, deps)
  const { opening, tail } = view
  const lines: object[] = []
  let parent: string | null = null
  const base = {
    isSidechain: false,
    userType: 'external',
    cwd: workspace,
    sessionId,
    version: (session.format === 'claude-code' ? session.version : undefined) ?? SEEN_VERSION,
    gitBranch: '',
  }
  const add = (at: number, line: object): string => {
    const uuid = ids()
    lines.push({ parentUuid: parent, ...base, ...line, uuid, timestamp: isoTime(at) })
    parent = uuid
    return uuid
  }

  if (opening !== undefined) {
    const at = tail[0]?.at ?? clock()
    const compactMetadata = { trigger: opening.isManual ? 'manual' : 'auto', preTokens: opening.tokensBefore }
    add(at, {
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      isMeta: false,
      level: 'info',
      compactMetadata,
    })
    const message = { role: 'user', content: opening.text }
    add(at, { type: 'user', message, isVisibleInTranscriptOnly: true, isCompactSummary: true, ...opening.field })
  }
  for (const kept of tail) {
    if (kept.message.role === 'assistant') for (const line of answerLines(kept, ids())) add(kept.at, line)
    else for (const line of userLines(kept)) add(kept.at, line)
  }
  lines.push({ type: 'custom-title', customTitle: titleOf(session, view), sessionId })
  return {
    text: jsonLines(lines),
    sessionId,
    place: `projects/${projectName(workspace)}/${sessionId}.jsonl`,
  }
}

const LONGEST_NAME = 200

/** The name of a project's folder. Claude Code ends a long one with a hash of the whole path, and does not look in other folders. */
function projectName(workspace: string): string {
  const name = workspace.replaceAll(/[^A-Za-z0-9]/g, '-')
  if (name.length <= LONGEST_NAME) return name
  let hash = 0
  for (let i = 0; i < workspace.length; i++) hash = (Math.imul(hash, 31) + workspace.charCodeAt(i)) | 0
  return `${name.slice(0, LONGEST_NAME)}-${Math.abs(hash).toString(36)}`
}

/** One line per block, all with the id of the answer, as Claude Code writes them. */
function answerLines({ message, model, usage }: KeptMessage, id: string): object[] {
  if (message.role !== 'assistant') return []
  const blocks = assistantBlocks(message, ranByProvider)
  const isCalling = blocks.some((block) => block.type === 'tool_use')
  return blocks.map((block, i) => ({
    type: 'assistant',
    message: {
      id: `msg_${id.replaceAll('-', '')}`,
      type: 'message',
      role: 'assistant',
      model: claudeModel(model),
      content: [block],
      stop_reason: i < blocks.length - 1 ? null : isCalling ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: usageOf(usage),
    },
  }))
}

/** A call or result of one of the API's own tools. */
function ranByProvider(part: ToolCallPart | ToolResultPart): { readonly type: string } {
  if (part.type === 'tool-call') return { ...callBlock(part), type: 'server_tool_use' }
  const { toolCallId, toolName, output } = part
  const content = output.type === 'json' || output.type === 'error-json' ? output.value : contentsOf(output)
  return { type: `${toolName}_tool_result`, tool_use_id: anthropicId(toolCallId), content } as { type: string }
}

function userLines({ message, userWords }: KeptMessage): object[] {
  if (message.role === 'tool')
    return resultsOf(message).map((part) => {
      const written = inClaudeWords(part, userWords)
      const denied = claudeRefusal(written).length === 0 ? {} : { toolDenialKind: 'user-rejected' }
      return { ...userLine([resultBlock(written)]), ...denied }
    })
  if (typeof message.content === 'string') return [userLine(message.content)]
  const blocks = userBlocks(message)
  return blocks.length === 0 ? [] : [userLine(blocks)]
}

function userLine(content: string | AnthropicBlock[]): object {
  return { type: 'user', message: { role: 'user', content } }
}

/** Claude Code recognises a refusal by the text of the error. A real refusal gets that text, and no other error may begin with it. */
function inClaudeWords(part: ToolResultPart, words: KeptMessage['userWords']): ToolResultPart {
  const denied = part.output.type === 'execution-denied' ? part.output.reason : undefined
  const reason = words === undefined ? denied : words.find(({ reply }) => reply === 'rejection')?.text
  if (reason !== undefined && reason !== '') return { ...part, output: textOutput(claudeRejection(reason), true) }
  const { output } = part
  if (output.type !== 'error-text' || claudeRefusal(part).length === 0) return part
  return { ...part, output: textOutput(`Error: ${output.value}`, true) }
}

function claudeModel(model: string | undefined): string {
  return model?.split('/').at(-1) ?? 'unknown'
}

/** Zeros if the view has changed since the count: the next answer then shows how full the context is. */
function usageOf(usage: KeptMessage['usage']): object {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {}
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
  }
}
