import { isPlainlyValid, noCalls } from '../../../model/message/plainly-valid.ts'
import type { PlacedMessage, ValidateOptions } from './validate.ts'

/** A quick check in one pass, because nearly every list is valid. False means only that the rules have to be checked one by one. */
export function plainlyValid(items: readonly PlacedMessage[], { pending }: ValidateOptions): boolean {
  const calls = noCalls()
  return (
    items.every(({ message }) => isPlainlyValid(message, calls)) && (calls.open.size === 0 || pending === 'allowed')
  )
}
