import type { WireStatus } from '../../src/contract/shapes/shapes.ts'

/** How full a context is, in words. */
export const LEVEL_WORDS: Readonly<Record<WireStatus['level'], string>> = {
  normal: 'Room left',
  warning: 'Getting full',
  critical: 'Nearly full',
  unknown: 'Size not known',
}
