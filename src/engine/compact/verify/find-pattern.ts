import type { SourceIndex } from './source-index.ts'

/** True when part of a name is left open: a glob, `<name>`, `${id}`, `:id`, `[id]`, an ellipsis. */
export function isPattern(name: string): boolean {
  return name.search(OPEN) !== -1
}

/** True when the source contains every fixed piece of a pattern that is long enough to tell. */
export function findPattern(name: string, index: SourceIndex): boolean {
  return name
    .split(OPEN)
    .map((piece) => piece.replace(/^[^\p{L}\p{N}.]+|[^\p{L}\p{N}]+$/gu, ''))
    .every((piece) => piece.length < 3 || index.has(piece))
}

const OPEN = /\*+|<[^<>]*>?|\$?\{[^{}]*\}?|\[[^[\]]*\]|\$\w+|:[a-z]\w*|\.{3}|…|\?/
