import { recallInLog } from '../shared/recall-in-log.ts'
import type { OpencodeMessage } from './opencode-api.ts'
import { opencodeLog } from './opencode-log.ts'

// The parts that do the work. They are loaded when they are first needed.
export { pluginPolicy } from '../shared/plugin-policy.ts'
export { SessionMasks } from './mask-messages.ts'
export { narratedRecord, narrativePrompt } from './narrated-record.ts'
export { messagesUpTo, opencodeLog } from './opencode-log.ts'

/** Answers `recall` from a session of opencode. */
export function recallInSession(input: unknown, id: string, messages: readonly OpencodeMessage[]): Promise<string> {
  return recallInLog(input, { id, agent: 'opencode', log: async () => opencodeLog(messages) })
}
