import { oneLine } from '../../model/text.ts'
import { count, counted } from './numbers.ts'

/** The notice that prompts of a file are not in the log that was read from it. */
export function lostPromptsText(
  typed: number,
  [first, ...others]: readonly { readonly line: number; readonly text: string }[],
): string | undefined {
  if (first === undefined) return undefined
  const share = `${count(others.length + 1)} of ${counted(typed, 'typed prompt')}`
  return `${share} did not reach the log; the first, in line ${first.line}: ${oneLine(first.text, 80)}`
}
