import { type ModelMessage, streamText } from 'ai'
import { compact } from '../../src/engine/compact/compact.ts'
import type { CompactInput } from '../../src/engine/compact/compact-state.ts'
import { appended } from '../../src/engine/context/view/log.ts'
import { requestOf } from '../../src/engine/context/view/request.ts'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import type { Entry, SummaryModel } from '../../src/model/types.ts'
import type { ModelServer, ProtocolName } from '../support/model-server/index.ts'
import { sdkModel } from '../support/model-server/sdk-model.ts'
import { ourMessage } from './reference-agent.ts'

/** A log for the reference agent that the engine compacts before each request, if it is time. */
export function compactingLog(options: Omit<CompactInput, 'log'>) {
  let log: readonly Entry[] = []
  return {
    log: () => log,
    count: (...types: readonly Entry['type'][]) => log.filter(({ type }) => types.includes(type)).length,
    shown: async (messages: readonly ModelMessage[]): Promise<readonly ModelMessage[]> => {
      const known = log.filter(({ type }) => type === 'message').length
      log = appended(
        log,
        messages.slice(known).map((message) => ({ type: 'message', message: ourMessage(message) })),
      )
      const { entries } = await compact({ reason: 'threshold', ...options, log })
      log = [...log, ...entries]
      return requestOf(viewOf(log)).messages as readonly ModelMessage[]
    },
  }
}

/** The server's model as one that writes summaries. */
export function summariser(server: ModelServer, protocol: ProtocolName): SummaryModel {
  return {
    name: 'test/summariser',
    window: 12_000,
    stream: ({ system, messages, maxOutputTokens }, abortSignal) =>
      streamText({
        model: sdkModel(server, protocol),
        instructions: system,
        messages: messages as ModelMessage[],
        maxOutputTokens,
        maxRetries: 0,
        abortSignal,
      }).textStream,
  }
}
