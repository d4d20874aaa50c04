import { createHash } from 'node:crypto'
import type { Message } from '../../model/types.ts'
import type { TruthEvent } from './events.ts'
import { personText, sentencesIn } from './prompts.ts'
import LABELS from './rule-labels.json' with { type: 'json' }

/**
 * The standing rules of a recorded session: sentences that two readers, apart from each other, took for one. The file has no text, only hashes:
 * of the user's words in the session, and for each rule the number of the user's message and the hash of the sentence.
 */
export function labelledRules(messages: readonly Message[]): TruthEvent[] {
  const said = messages.flatMap((message, at) => (message.role === 'user' ? [{ at, text: personText(message) }] : []))
  const labels: Readonly<Record<string, readonly string[]>> = LABELS
  return (labels[hashOf(said.map(({ text }) => text).join('\0'))] ?? []).flatMap((label) => {
    const [number, hash] = label.split(' ')
    const { at = 0, text = '' } = said[Number(number)] ?? {}
    const sentence = sentencesIn(text).find((one) => hashOf(one) === hash)
    return sentence === undefined ? [] : [{ at, kind: 'rule' as const, text: sentence }]
  })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
