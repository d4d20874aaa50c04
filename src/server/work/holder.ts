import { hostname } from 'node:os'
import type { Running } from '../http/http-error.ts'

/** The name under which work holds the lease of its session: what it is, its id, and the process. */
export function holderOf({ kind, id }: Running): string {
  return `${kind}:${id}@${hostname()}:${process.pid}`
}

/** What is at work behind a holder's name; a terminal's is its process. */
export function runningOf(holder: string): Running {
  const [, kind, id] = /^(compaction|turn):([^@]+)@/.exec(holder) ?? []
  return (kind === 'compaction' || kind === 'turn') && id !== undefined ? { kind, id } : { kind: 'other', id: holder }
}
