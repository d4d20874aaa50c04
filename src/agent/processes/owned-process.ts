import { randomUUID } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isRunning, mountsOf, processesSince, startedWith, startOf } from './process-table.ts'
import { treeOf } from './tree-of.ts'
import { Watchdog } from './watchdog.ts'

/** The variable in the environment of everything that we start. What that starts inherits it. */
export const MARK = 'PITH_STARTED_BY'

const STEPS = [
  ['SIGTERM', 500],
  ['SIGKILL', 300],
] as const
const LOOK_MS = 20

/** This process, in the marks of all that it starts. */
const OWNER = randomUUID()
const owned = new Set<OwnedProcess>()
let count = 0
let watchdog: Watchdog | undefined

/** The mark of a process that is about to be started, for its environment. */
export function newMark(): string {
  // Before the process: were we killed right after it started, nobody would end it.
  watchdog ??= new Watchdog(`${MARK}=${OWNER}`)
  if (!process.listeners('exit').includes(endAllNow)) process.once('exit', endAllNow)
  return `${OWNER}.${++count}`
}

/** Leaves what runs in the background to itself: the user has ended the program, and nothing is cut off. */
export function leaveBackground(): void {
  owned.clear()
  watchdog?.leave()
  watchdog = undefined
}

/** A process that we started, with all that comes of it. However we end, it ends with us. */
export class OwnedProcess {
  readonly #pid: number
  readonly #mark: string
  /** Nothing older comes of it, so only what is younger is looked at. */
  readonly #start: number | undefined
  #mounts: string | undefined
  /** A file of the namespace. While it is open the kernel gives the number to no other one. */
  #held: number | undefined
  #hasExited = false
  #known: ReadonlySet<number> = new Set()

  constructor(pid: number, mark: string) {
    this.#pid = pid
    this.#mark = mark
    this.#start = startOf(pid)
    owned.add(this)
    reportOwned()
  }

  /** Sets the mount namespace that its sandbox has made: whatever it starts is in there, too. */
  set mounts(mounts: string) {
    // Our own namespace has every process of the machine in it.
    if (mounts === mountsOf(process.pid)) return
    this.#mounts = mounts
    reportOwned()
  }

  /** To be called when the process itself has ended. What it left in the background is still ours. */
  exited(): void {
    this.#hasExited = true
    const left = this.#find()
    if (left.size === 0) return this.#forget()
    const inside = [...left].find((pid) => this.#mounts !== undefined && mountsOf(pid) === this.#mounts)
    if (inside === undefined) this.#mounts = undefined
    else this.#held ??= openedMounts(inside)
  }

  /** Ends it with all that comes of it: politely, and what is still there half a second later by force. */
  async end(): Promise<void> {
    for (const ms of this.ending()) await pause(ms)
    this.#forget()
  }

  /** The steps of that end. Each value is a time to wait before the next step. */
  *ending(): Generator<number> {
    for (const [signal, ms] of STEPS) {
      // Were the system to list nothing, the process itself would still be reached.
      const itself = this.#hasExited ? [] : [this.#pid]
      this.#known = new Set([...this.#known, ...itself, ...this.#find()])
      for (const pid of this.#known) send(pid, signal)
      for (let waited = 0; waited < ms && [...this.#known].some(isRunning); waited += LOOK_MS) yield LOOK_MS
    }
  }

  /** Its group and its namespace, as the watchdog reads them. */
  get words(): string[] {
    return [`g${this.#pid}`, ...(this.#mounts === undefined ? [] : [`m${this.#mounts}`])]
  }

  #find(): Set<number> {
    const isMarked = (pid: number) =>
      startedWith(pid, MARK) === this.#mark || (this.#mounts !== undefined && mountsOf(pid) === this.#mounts)
    const root = { pid: this.#pid, hasExited: this.#hasExited, known: this.#known, isMarked }
    return treeOf(processesSince(this.#start), root)
  }

  #forget(): void {
    if (this.#held !== undefined) closeSync(this.#held)
    this.#held = undefined
    owned.delete(this)
    reportOwned()
  }
}

function reportOwned(): void {
  watchdog?.report([...owned].flatMap(({ words }) => words))
}

/** Nothing that waits for a promise runs any more when a process exits. */
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
    // It has ended, or has become somebody else's.
  }
}

function openedMounts(pid: number): number | undefined {
  try {
    return openSync(`/proc/${pid}/ns/mnt`, 'r')
  } catch {
    return undefined
  }
}
