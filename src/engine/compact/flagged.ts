import { serialize } from '../record/serialize.ts'
import type { CompactState } from './compact-state.ts'
import { verify } from './verify/verify.ts'

/** The most names that are listed under a summary. */
const MOST = 20

const WHOLE = { cutCharacters: 0 }

/** Names in a summary that the conversation does not contain, if the policy verifies: reported, never passed on as facts. */
export function flaggedNames({ view, policy }: CompactState, summary: string): string[] {
  if (!policy.verify) return []
  const texts = () => view.items.slice().map((item) => serialize(item.message, WHOLE))
  return verify(summary, { texts })
    .invented.slice(0, MOST)
    .map((name) => name.text.slice(0, 120))
}
