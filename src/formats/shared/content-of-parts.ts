import type { UserPart } from '../../model/types.ts'

/** The content of a user's message: a single text stays a text. */
export function contentOfParts(parts: readonly UserPart[]): string | UserPart[] {
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' ? only.text : [...parts]
}
