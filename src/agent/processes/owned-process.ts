import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isRunning, type ProcessRow, processesSince, startedWith, startOf } from './process-table.ts'

/**
 * Reads lines until its input ends, which means that Pith has ended. Then it ends the process groups of the last line, and all
 * processes with the mark of its first argument in their environment (only Linux shows that). After a slash, the line has the
 * marks of processes that are spared.
 */
const WATCHDOG_SCRIPT = `
last=
while read -r line; do last=$line; done
spared() { for mark in \${last#*/}; do grep -qsF -- "=$mark" "/proc/$1/environ" && return 0; done; return 1; }
marked() { grep -ls -- "$1" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3; }
end() {
  for group in \${last%%/*}; do kill -s "$1" -- "-$group" 2>/dev/null; done
  for pid in $(marked "$2"); do spared "$pid" || kill -s "$1" -- "$pid" 2>/dev/null; done
}
end TERM "$1"
sleep 0.5
end KILL "$1"
# What was started in between.
sleep 0.1
end KILL "$1"
`

/**
 * A small shell process that ends the processes we started after we have ended. No program can clean up after `kill -9`, or
 * after a signal that it does not handle. But the pipe to the watchdog breaks in any case.
 */
class Watchdog {
  readonly #child: ChildProcess

  /** `mark`: the beginning of the variable that every process we start has in its environment. */
  constructor(mark: string) {
    // It has its own session, so that closing the terminal does not end it. Its environment must not have the mark.
    this.#child = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT, 'pith-watchdog', mark], {
      detached: true,
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      cwd: '/',
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    // Without the watchdog, only `kill -9` leaves processes running. That is not a reason to fail.
    this.#child.on('error', () => {})
    const { stdin } = this.#child
    stdin?.on('error', () => {})
    this.#child.unref()
    if (stdin !== null && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  }

  /** Lists the process groups that run, and the marks of those that the user detached. */
  report(groups: readonly number[], detached: readonly string[]): void {
    this.#child.stdin?.write(`${groups.join(' ')}/${detached.join(' ')}\n`)
  }
}

/** The variable in the environment of every process that we start. Child processes inherit it. */
export const MARK = 'PITH_STARTED_BY'

const STEPS = [
  ['SIGTERM', 500],
  ['SIGKILL', 300],
] as const
const POLL_MS = 20

/** Identifies this process in the marks of the processes that it starts. */
const OWNER = randomUUID()
const owned = new Set<OwnedProcess>()
/** The marks of processes that the user detached. */
const detached: string[] = []
let count = 0
let watchdog: Watchdog | undefined

/** The mark of a process that is about to be started, for its environment. */
export function newMark(): string {
  // Start the watchdog before the process. If we were killed in between, nothing would end the process.
  watchdog ??= new Watchdog(`${MARK}=${OWNER}`)
  if (!process.listeners('exit').includes(endAllNow)) process.once('exit', endAllNow)
  // The dot at the end makes sure that no mark is the beginning of another one.
  return `${OWNER}.${++count}.`
}

/** A process that we started, with its descendants. However we end, they end with us. */
export class OwnedProcess {
  readonly #pid: number
  readonly #mark: string
  /** Descendants cannot be older, so only processes since this time are checked. */
  readonly #start: number | undefined
  #hasExited = false
  #known: ReadonlySet<number> = new Set()

  constructor(pid: number, mark: string) {
    this.#pid = pid
    this.#mark = mark
    this.#start = startOf(pid)
    owned.add(this)
    reportOwned()
  }

  /** Call this when the process itself has ended. We still own the processes that it left in the background. */
  exited(): void {
    this.#hasExited = true
    if (this.#find().size === 0) this.#forget()
  }

  /** Lets the process and its descendants run on when we end. Only the user may ask for this. */
  detach(): void {
    detached.push(this.#mark)
    this.#forget()
  }

  /** Ends the process and its descendants with SIGTERM and, after half a second, with SIGKILL. */
  async end(): Promise<void> {
    for (const ms of this.ending()) await pause(ms)
    this.#forget()
  }

  /** The steps of `end`. Each value is a time to wait before the next step. */
  *ending(): Generator<number> {
    for (const [signal, ms] of STEPS) {
      // Even if the system lists no processes, the process itself gets the signal.
      const itself = this.#hasExited ? [] : [this.#pid]
      this.#known = new Set([...this.#known, ...itself, ...this.#find()])
      for (const pid of this.#known) send(pid, signal)
      for (let waited = 0; waited < ms && [...this.#known].some(isRunning); waited += POLL_MS) yield POLL_MS
    }
  }

  /** The process leads its group, and the group exists while one of its processes runs. */
  get group(): number {
    return this.#pid
  }

  #find(): Set<number> {
    const isMarked = (pid: number) => startedWith(pid, MARK) === this.#mark
    const root = { pid: this.#pid, hasExited: this.#hasExited, known: this.#known, isMarked }
    return treeOf(processesSince(this.#start), root)
  }

  #forget(): void {
    owned.delete(this)
    reportOwned()
  }
}

function reportOwned(): void {
  watchdog?.report(
    [...owned].map(({ group }) => group),
    detached,
  )
}

/** Ends all processes synchronously, because promises no longer run while our process exits. */
function endAllNow(): void {
  const endings = [...owned].map((each) => each.ending())
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    const waits = endings.flatMap((ending) => ending.next().value ?? [])
    if (waits.length === 0) return
    Atomics.wait(sleeper, 0, 0, Math.max(...waits))
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended, or its number now belongs to another user's process.
  }
}

/** How the descendants of a started process are recognised. */
export type TreeRoot = {
  /** The process that was started. */
  readonly pid: number
  /** True once it has ended. Another process may then have its number. */
  readonly hasExited: boolean
  /** Other known descendants, such as those that were found before their parent ended. */
  readonly known: ReadonlySet<number>
  /** True for a process that has the mark of the started one, whatever its parent is now. */
  readonly isMarked: (pid: number) => boolean
}

/** The descendants of a started process: its children and theirs, its group, their groups and sessions, and all processes with its mark. */
export function treeOf(rows: readonly ProcessRow[], root: TreeRoot): Set<number> {
  const heads = new Set(root.known)
  // The kernel does not reuse a number while a group has it. So a new process with this number leads another group.
  if (!root.hasExited || rows.every(({ pid }) => pid !== root.pid)) heads.add(root.pid)
  const tree = new Set(rows.filter(({ pid }) => heads.has(pid) || root.isMarked(pid)).map(({ pid }) => pid))
  const comesOf = ({ parent, group, session = 0 }: ProcessRow) =>
    [parent, group, session].some((id) => tree.has(id) || heads.has(id))
  for (let before = -1; before < tree.size; ) {
    before = tree.size
    for (const row of rows) if (!tree.has(row.pid) && comesOf(row)) tree.add(row.pid)
  }
  return tree
}
