import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of Linux are a hundredth of a second. */
const TICK_MS = 10

/** Processor time of a database server: of its first process, with its children that have ended, and of the others. */
export function postgresMs(url: string): number {
  const all = processes()
  const own = new Set(postgresPids(url, all))
  return all.reduce((sum, { pid, fields }) => (own.has(pid) ? sum + ticksOf(fields) * TICK_MS : sum), 0)
}

/** Processor time of these processes. */
export function processMs(pids: readonly number[]): number {
  return pids.flatMap((pid) => statOf(String(pid))).reduce((sum, { fields }) => sum + ticksOf(fields) * TICK_MS, 0)
}

/** Time that all cores of the machine were busy, whoever used them. */
export function machineMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = readFileSync('/proc/stat', 'utf8')
    .slice('cpu '.length, 1_000)
    .trim()
    .split(/\s+/, 7)
    .map(Number)
  return (user + nice + system + irq + softirq) * TICK_MS
}

/** The processes of a database server, the first one first. */
export function postgresPids(url: string, all = processes()): string[] {
  const { port } = new URL(url)
  const isOfPort = (pid: string) => commandOf(pid).some((part) => part === port || part === `port=${port}`)
  const first = all.find(({ pid, fields }) => fields[0] === '(postgres)' && isOfPort(pid))?.pid
  return all.flatMap(({ pid, fields }) => (pid === first || fields[2] === first ? [pid] : []))
}

type Process = { readonly pid: string; readonly fields: readonly string[] }

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statOf(pid))
}

/** User and system time of a process, and of its children that it has waited for. */
function ticksOf(fields: readonly string[]): number {
  return fields.slice(12, 16).reduce((sum, field) => sum + Number(field), 0)
}

/** The fields of a process from its name on: its name, its state, its parent. */
function statOf(pid: string): Process[] {
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
