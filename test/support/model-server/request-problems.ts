import { BadBody } from './bad-body.ts'
import type { ProtocolName } from './model-request.ts'
import { protocolsOf } from './protocols.ts'

/** All that a provider would refuse a body for: pairs of calls and results, the order of roles, ids, cache marks. */
export function requestProblems(protocol: ProtocolName, body: unknown, path: string): readonly string[] {
  const found = protocolsOf((prefix) => prefix).find(({ name }) => name === protocol)
  try {
    return found?.read(body, path).problems ?? []
  } catch (error) {
    if (error instanceof BadBody) return [error.message]
    throw error
  }
}
