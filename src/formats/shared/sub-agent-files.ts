import { messageItem } from '../../engine/context/view/item-list.ts'
import { filesDelta } from '../../engine/extract/index-delta.ts'
import { mergeIndexes } from '../../model/facts/log-index.ts'
import { type SeenFile, type ToolCallPart, textOf } from '../../model/types.ts'
import { fields, text } from './json.ts'
import type { Sidechain } from './log-builder.ts'

/** The files that a sub-agent changed, if the call started one whose own messages are in the file. The sub-agent is named as their origin. */
export function subAgentFiles(call: ToolCallPart, sidechains: readonly Sidechain[]): SeenFile[] {
  const started = startedBy(call, sidechains)
  if (started === undefined) return []
  const items = started.entries.flatMap((entry) => (entry.type === 'message' ? [messageItem(entry)] : []))
  const by = nameOf(call)
  return mergeIndexes([filesDelta(items)]).files.flatMap(({ path, access }): SeenFile[] =>
    access === 'modified' || access === 'deleted' ? [{ path, access, by }] : [],
  )
}

/** Claude Code before 2.1 does not link a sub-agent to its call, but both have the same prompt. */
function startedBy({ toolCallId, input }: ToolCallPart, sidechains: readonly Sidechain[]): Sidechain | undefined {
  const linked = sidechains.find(({ call }) => call === toolCallId)
  const prompt = text(fields(input)?.prompt)?.trim()
  if (linked !== undefined || prompt === undefined) return linked
  const [same, ...others] = sidechains.filter((chain) => chain.call === undefined && promptOf(chain) === prompt)
  return others.length === 0 ? same : undefined
}

function promptOf({ entries: [first] }: Sidechain): string | undefined {
  return first?.type === 'message' && first.message.role === 'user' ? textOf(first.message).trim() : undefined
}

/** The kind of sub-agent that a call asks for, or else the tool that started it. A model wrote it: only the signs of a name are kept. */
function nameOf({ toolName, input }: ToolCallPart): string {
  const asked = fields(input)
  const name = text(asked?.subagent_type) ?? text(asked?.agent_type) ?? toolName
  return (
    name
      .replace(/[^\p{L}\p{N}_.:@/-]+/gu, ' ')
      .trim()
      .slice(0, MOST_CHARACTERS) || toolName
  )
}

const MOST_CHARACTERS = 60
