import type { Config } from '../config/index.ts'
import { note, printable } from './output/show.ts'

/** Prints the notices about the configuration files. */
export function noteConfig({ notices }: Config): void {
  for (const notice of notices) note(printable(notice))
}
