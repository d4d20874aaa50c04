import { pageToBeginWith } from '../shared/starting-page.ts'
import type { PiApi } from './pi-api.ts'

/** The name of the message with the page in pi's sessions. */
const TYPE = 'pith-memory'

/** The extension that gives a new session of pi the memory of its project. pi keeps it in the session, so it enters once. */
export default function pithMemory(pi: Pick<PiApi, 'on'>): void {
  pi.on('before_agent_start', async (_, { cwd, sessionManager }) => {
    const hasBegun = sessionManager
      .getBranch()
      .some(({ type, customType }) => type === 'message' || type === 'compaction' || customType === TYPE)
    if (hasBegun) return undefined
    const content = await pageToBeginWith(cwd, import.meta.url)
    return content === '' ? undefined : { message: { customType: TYPE, content, display: false } }
  })
}
