import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of Linux are a hundredth of a second. */
const TICK_MS = 10

/** Processor time of a database server: of its first process, with its children that have ended, and of the others. */
export function postgresMs(url: string): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statOf(pid))
  const { port } = new URL(url)
  const first = all.find(({ pid, fields }) => fields[0] === '(postgres)' && commandOf(pid).includes(port))?.pid
  return all
    .filter(({ pid, fields }) => pid === first || fields[2] === first)
    .reduce((sum, { fields }) => sum + ticksOf(fields) * TICK_MS, 0)
}

/** User and system time of a process, and of its children that it has waited for. */
function ticksOf(fields: readonly string[]): number {
  return fields.slice(12, 16).reduce((sum, field) => sum + Number(field), 0)
}

/** The fields of a process from its name on: its name, its state, its parent. */
function statOf(pid: string): { readonly pid: string; readonly fields: readonly string[] }[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return [{ pid, fields: text.slice(text.indexOf('(')).split(' ') }]
  } catch {
    return []
  }
}

function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
