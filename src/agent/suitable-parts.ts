import { handle } from '../engine/rewrite-message.ts'
import type { UserPart } from '../model/message.ts'
import { type InputKind, type ModelInfo, modelName } from '../model/model-info.ts'
import type { Item } from '../model/view.ts'

/** The item without what the model cannot take: the log still has it, and the model is told what is missing. */
export function suitable(item: Item, info: ModelInfo): Item {
  const { message } = item
  if (item.kind !== 'message' || info.input === undefined || message.role !== 'user') return item
  if (typeof message.content === 'string') return item
  const takes = new Set(info.input)
  if (message.content.every((part) => canTake(part, takes))) return item
  const content = message.content.map(
    (part): UserPart =>
      canTake(part, takes)
        ? part
        : {
            type: 'text',
            text: `[${kindOf(part)} left out, as ${modelName(info)} takes none: recall ${handle(item.seq)}]`,
          },
  )
  return { ...item, message: { ...message, content } }
}

function canTake(part: UserPart, takes: ReadonlySet<InputKind>): boolean {
  const kind = kindOf(part)
  return kind === undefined || takes.has(kind)
}

function kindOf(part: UserPart): InputKind | undefined {
  if (part.type === 'image') return 'image'
  if (part.type !== 'file') return undefined
  if (part.mediaType.startsWith('image/')) return 'image'
  if (part.mediaType === 'application/pdf') return 'pdf'
  if (part.mediaType.startsWith('audio/')) return 'audio'
  return part.mediaType.startsWith('video/') ? 'video' : undefined
}
