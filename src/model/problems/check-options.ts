import { PithError } from './errors.ts'
import { unknownKey } from './unknown-key.ts'

/** The names of all options: a record, so that the compiler says when one is missing. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/** Throws one line about an option that nobody knows, with the known one that was probably meant. */
export function checkOptions<Options>(where: string, options: Options | undefined, names: OptionNames<Options>): void {
  const known = Object.keys(names)
  for (const [key, value] of Object.entries(options ?? {}))
    if (value !== undefined && !known.includes(key))
      throw new PithError('bad-argument', `${where}: ${unknownKey(key, known, 'option')}`)
}
