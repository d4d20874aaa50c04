import { WARM } from '../../../src/engine/record/prompts/warm.ts'
import { type ModelRequest, textOf } from './model-request.ts'

/** True for a request that asks for a summary: no tools are declared, or the last message is the program's directive. */
export function isSummarising(request: ModelRequest): boolean {
  const last = request.messages.at(-1)
  return request.tools.length === 0 || (last?.role === 'user' && textOf(last).includes(WARM))
}
