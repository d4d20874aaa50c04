import { findPattern, isPattern } from './find-pattern.ts'
import { normalise, type SourceIndex } from './source-index.ts'

/** True when the source contains the name, also in a longer one, without its call, or each part of it by itself. */
export function findIdentifier(name: string, index: SourceIndex): boolean {
  const normal = normalise(name)
    .replace(/^[a-z][a-z0-9+.-]*:\/+/, '')
    .replace(/^_+|(?:\(\)|[_/])+$/g, '')
  const number = /^[#:v]?(\d+(?:\.\d+)*)$/.exec(normal)?.[1]
  if (number !== undefined) return index.has(number, isWholeNumber)
  if (index.has(normal) || index.has(normal.replace(/(?<=...)(?:s|es)$/, ''))) return true
  if (isPattern(normal) && findPattern(normal, index)) return true
  return hasParts(normal, index)
}

function isWholeNumber(before: string, after: string): boolean {
  return !/\d/.test(before) && !/\d/.test(after)
}

/** `Class.method`, `KEY=value`, `package@1.2.3`: names put together from two that the source has. */
function hasParts(name: string, index: SourceIndex): boolean {
  const parts = [/::|->|[#:=@/?&[\]{}]/, /\./]
    .map((separator) => name.split(separator).filter((part) => part.length > 1 || /\d/.test(part)))
    .find((split) => split.length > 1)
  return parts?.every((part) => findIdentifier(part, index)) ?? false
}
