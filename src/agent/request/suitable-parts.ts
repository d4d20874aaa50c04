import type { Message, ToolPart, ToolResultContent, UserPart } from '../../model/message/message.ts'
import { type InputKind, type ModelInfo, modelName } from '../../model/provider/model-info.ts'
import { handle } from '../../model/text/handle.ts'
import type { Item } from '../../model/view.ts'

/** The item without what the model cannot take: the log still has it, and the model is told what is missing. */
export function suitable(item: Item, info: ModelInfo): Item {
  if (item.kind !== 'message' || info.input === undefined) return item
  const takes = new Set(info.input)
  const keep = <P extends UserPart | ToolResultContent>(part: P): P | TextInstead => {
    const kind = kindOf(part)
    if (kind === undefined || takes.has(kind)) return part
    return { type: 'text', text: `[${kind} left out, as ${modelName(info)} takes none: recall ${handle(item.seq)}]` }
  }
  const message = suitableMessage(item.message, keep)
  return message === item.message ? item : { ...item, message }
}

type TextInstead = { type: 'text'; text: string }
type Keep = <P extends UserPart | ToolResultContent>(part: P) => P | TextInstead

function suitableMessage(message: Message, keep: Keep): Message {
  if (message.role === 'user' && typeof message.content !== 'string') {
    const content = changed(message.content, (part): UserPart => keep(part))
    return content === message.content ? message : { ...message, content }
  }
  if (message.role === 'tool') {
    const content = changed(message.content, (part) => suitableResult(part, keep))
    return content === message.content ? message : { ...message, content }
  }
  return message
}

function suitableResult(part: ToolPart, keep: Keep): ToolPart {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part
  const value = changed(part.output.value, (content): ToolResultContent => keep(content))
  return value === part.output.value ? part : { ...part, output: { ...part.output, value } }
}

/** The list itself where nothing of it changes, so that what is not touched stays what it is. */
function changed<T>(list: T[], change: (each: T) => T): T[] {
  const next = list.map(change)
  return next.every((each, i) => each === list[i]) ? list : next
}

function kindOf(part: UserPart | ToolResultContent): InputKind | undefined {
  if (part.type.startsWith('image')) return 'image'
  const { mediaType } = part as { mediaType?: unknown }
  if (part.type === 'text' || typeof mediaType !== 'string') return undefined
  if (mediaType.startsWith('image')) return 'image'
  if (mediaType === 'application/pdf') return 'pdf'
  if (mediaType.startsWith('audio/')) return 'audio'
  return mediaType.startsWith('video/') ? 'video' : undefined
}
