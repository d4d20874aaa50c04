import type { Index, UserFact } from '../model/log-index.ts'
import { textOf } from '../model/message.ts'
import type { Item, MessageItem } from '../model/view.ts'
import { filesOf } from './files.ts'

/** What some items add to the index when they leave the view. */
export function indexDelta(items: readonly Item[]): Index {
  return {
    files: filesOf(items),
    users: items.filter(isUserMessage).map(userFact),
  }
}

/** True for what the user said; a summary in the user's role is not. */
export function isUserMessage(item: Item | undefined): item is MessageItem {
  return item?.kind === 'message' && item.message.role === 'user'
}

function userFact(item: MessageItem): UserFact {
  return { seq: item.seq, text: textOf(item.message) }
}
