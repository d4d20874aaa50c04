import { readPiBranch } from '../../formats/pi/read.ts'
import { recallInLog } from '../shared/recall-in-log.ts'
import type { PiContext } from './pi-api.ts'

// The parts that do the work. They are loaded when they are first needed.
export { compactBranch } from './compact-branch.ts'
export { ContextMasks } from './mask-context.ts'

/** Answers `recall` from the branch that pi is on. */
export function recallInBranch(input: unknown, { sessionManager }: PiContext): Promise<string> {
  const log = async () => readPiBranch(sessionManager.getBranch()).log
  return recallInLog(input, { id: sessionManager.getSessionId(), agent: 'pi', log })
}
