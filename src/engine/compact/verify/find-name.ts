import { findIdentifier } from './find-identifier.ts'
import { findPath } from './find-path.ts'
import { findQuotation } from './find-quotation.ts'
import type { WrittenName } from './names.ts'
import { normalise, type SourceIndex } from './source-index.ts'

/** True when the source contains the name in some notation. */
export function isFound(name: WrittenName, index: SourceIndex): boolean {
  if (name.list !== undefined && index.has(normalise(name.list))) return true
  switch (name.kind) {
    case 'path':
      return findPath(name.text, index)
    case 'identifier':
      return findIdentifier(name.text, index)
    case 'quotation':
      return findQuotation(name.text, index)
  }
}
