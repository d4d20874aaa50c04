import { readOpencode } from '../../formats/opencode/read.ts'
import type { Entry } from '../../model/types.ts'
import type { OpencodeMessage } from './opencode-api.ts'

/** The log of a session of opencode. Its numbers are the same as when Pith reads opencode's database. */
export function opencodeLog(messages: readonly OpencodeMessage[]): readonly Entry[] {
  return readOpencode.document?.({ messages }, {}).log.entries ?? []
}

/** The messages up to one of them; all messages if it is not among them. */
export function messagesUpTo(messages: readonly OpencodeMessage[], id: unknown): readonly OpencodeMessage[] {
  const at = messages.findIndex(({ info }) => info.id === id)
  return at === -1 ? messages : messages.slice(0, at + 1)
}
