import { readOpencode } from '../../formats/opencode/read.ts'
import type { Entry } from '../../model/entry.ts'
import type { OpencodeMessage } from './opencode-api.ts'

/** The log of a session of opencode, with the numbers that reading its database gives. */
export function opencodeLog(messages: readonly OpencodeMessage[]): readonly Entry[] {
  return readOpencode.document?.({ messages }, {}).log.entries ?? []
}

/** The messages up to one of them; all where it is not there. */
export function messagesUpTo(messages: readonly OpencodeMessage[], id: unknown): readonly OpencodeMessage[] {
  const at = messages.findIndex(({ info }) => info.id === id)
  return at === -1 ? messages : messages.slice(0, at + 1)
}
