import type { Config } from '../config/index.ts'
import { note, printable } from './output/show.ts'

/** Says what of the project's file does not count, if anything. */
export function noteUntrusted({ untrusted: [first, ...others] }: Config): void {
  if (first === undefined) return
  const keys = [first, ...others].map(({ key }) => printable(key)).join(', ')
  note(
    `Set aside until you trust this workspace: ${keys} (${printable(first.file)}). Look at them, then: pith config trust`,
  )
}
