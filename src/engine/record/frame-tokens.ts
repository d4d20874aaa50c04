import type { Estimator } from '../../tokens/estimate/estimator.ts'
import { framedParts, textOfParts } from './compose.ts'

/** The tokens of the default policy's frame around a record of this many messages: the same for all numbers with as many digits. */
export function frameTokens(messages: number, estimator: Estimator): number {
  return estimator.text(EMPTY_FRAMES[String(messages).length] ?? '')
}

/** By the number of digits: every plan counts one of them. */
const EMPTY_FRAMES: readonly string[] = Array.from({ length: 17 }, (_, digits) => {
  const standsFor = 10 ** digits - 1
  return textOfParts(framedParts({ frame: 'pith', parts: [], messages: 0, standsFor }))
})
