import { oneLine } from '../../model/text/shorten.ts'
import { count, counted } from './numbers.ts'

/** Says that prompts of a file are not in the log that was read from it. */
export function lostPromptsText(
  typed: number,
  [first, ...others]: readonly { readonly line: number; readonly text: string }[],
): string | undefined {
  if (first === undefined) return undefined
  const some = `${count(others.length + 1)} of ${counted(typed, 'typed prompt')}`
  return `${some} did not reach the log; the first, in line ${first.line}: ${oneLine(first.text, 80)}`
}
