import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** A running process of this machine. */
export type ProcessRow = {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** The session; undefined if the system does not say. */
  readonly session?: number
  /** When it started, in ticks of the system's clock; undefined if the system does not say. */
  readonly start?: number
}

/** All running processes. Zombies are left out: in a container, nobody may ever collect them. */
function processTable(): ProcessRow[] {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

/** The processes that started at this time or later; all processes if the time is not known. */
export function processesSince(start: number | undefined): ProcessRow[] {
  return processTable().filter((row) => row.start === undefined || start === undefined || row.start >= start)
}

/** The start time of a running process, as in `ProcessRow`. */
export function startOf(pid: number): number | undefined {
  return process.platform === 'linux' ? procRow(String(pid))?.start : undefined
}

/** True while a process of the group runs. */
export function groupIsAlive(group: number): boolean {
  return processTable().some((row) => row.group === group)
}

/** True while the process runs. */
export function isRunning(pid: number): boolean {
  if (process.platform === 'linux') return procRow(String(pid)) !== undefined
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists, but we may not signal it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The value of a variable that a process was started with. Only Linux shows it. */
export function startedWith(pid: number, variable: string): string | undefined {
  const text = onLinux(() => readFileSync(`/proc/${pid}/environ`, 'latin1'))
  const found = text?.split('\0').find((each) => each.startsWith(`${variable}=`))
  return found?.slice(variable.length + 1)
}

function onLinux(read: () => string): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return read()
  } catch {
    // It has ended, or belongs to somebody else.
    return undefined
  }
}

/** The index of the start time among the fields after the name, which is the second of 52 fields. */
const START_FIELD = 19

function fromProc(): ProcessRow[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (procRow(name) ?? []) : []))
}

function procRow(pid: string): ProcessRow | undefined {
  const stat = onLinux(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  if (stat === undefined) return undefined
  // The name in brackets may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  if (state === 'Z' || state === 'X') return undefined
  const start = Number(fields[START_FIELD])
  return { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session), start }
}

function fromPs(): ProcessRow[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, group, state = 'Z'] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)/.exec(line) ?? []
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group) }]
  })
}
