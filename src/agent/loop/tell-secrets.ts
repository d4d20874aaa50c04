import { typedSecretText } from '../../engine/report/secret-text.ts'
import { textOf, type UserMessage } from '../../model/message/message.ts'
import { handle } from '../../model/text/handle.ts'
import type { Agent } from '../agent.ts'

/** Tells the user that a message of theirs has a secret: of the first in a session, once. */
export async function tellSecrets(agent: Agent, said: UserMessage): Promise<void> {
  const text = textOf(said)
  // No secret is shorter. Most messages need no rules to be loaded.
  if (agent.hasToldSecret || !/\S{12}/.test(text)) return
  const { findSecrets } = await import('../../secrets/find-secrets.ts')
  const kinds = findSecrets(text).map(({ kind }) => kind)
  if (kinds.length === 0) return
  agent.hasToldSecret = true
  agent.emit({ type: 'notice', text: typedSecretText(kinds, handle(agent.live.session.lastSeq)) })
}
