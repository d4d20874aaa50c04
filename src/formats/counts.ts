import { callsOf, resultsOf } from '../model/message.ts'
import type { Counts } from './decoded.ts'
import type { LogBuilder } from './log-builder.ts'

/** How much a file of so many lines came to. */
export function countsOf(log: LogBuilder, lines: number): Counts {
  const messages = log.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
  return {
    lines,
    issues: log.issueCount,
    recordedMessages: log.recordedMessages,
    recordedCalls: log.recordedCalls,
    messages: messages.length,
    calls: messages.reduce((sum, message) => sum + callsOf(message).length, 0),
    results: messages.reduce((sum, message) => sum + resultsOf(message).length, 0),
  }
}
