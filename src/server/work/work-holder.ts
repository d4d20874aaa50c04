import { hostname } from 'node:os'
import type { WireWork } from '../../contract/shapes/shapes.ts'

/** The name of work as a lease holder: its kind, its id and its process. */
export function workHolder({ kind, id }: WireWork): string {
  return `${kind}:${id}@${hostname()}:${process.pid}`
}

/** The work that a lease holder's name describes. The name of a terminal is only its process. */
export function runningOf(holder: string): WireWork {
  const [, kind, id] = /^(compaction|turn):([^@]+)@/.exec(holder) ?? []
  return (kind === 'compaction' || kind === 'turn') && id !== undefined ? { kind, id } : { kind: 'other', id: holder }
}
