import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isRunning, mountsOf, type ProcessRow, processesSince, startedWith, startOf } from './process-table.ts'
import { WATCHDOG_SCRIPT } from './watchdog-script.ts'

/**
 * A small shell beside us that ends what we started when we are gone. No program can clean up after `kill -9`, or after a
 * signal that it does not handle; but the pipe between us breaks however we end.
 */
class Watchdog {
  readonly #child: ChildProcess

  /** `mark`: the beginning of the variable that everything has in its environment that we started. */
  constructor(mark: string) {
    // In a session of its own: closing the terminal does not reach it. Its environment must not have the mark.
    this.#child = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT, 'pith-watchdog', mark], {
      detached: true,
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      cwd: '/',
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    // Without it only `kill -9` leaves something behind: that is no reason to fail.
    this.#child.on('error', () => {})
    const { stdin } = this.#child
    stdin?.on('error', () => {})
    this.#child.unref()
    if (stdin !== null && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  }

  /** Names what runs now: `g123` is a process group, `m456` a mount namespace. */
  report(words: readonly string[]): void {
    this.#child.stdin?.write(`${words.join(' ')}\n`)
  }

  /** Lets it end without ending anything. */
  leave(): void {
    this.#child.stdin?.end('leave\n')
  }
}

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

/** How processes that come of a started one are known. */
export type TreeRoot = {
  /** The process that was started. */
  readonly pid: number
  /** True once it has ended: its number may then be that of another process. */
  readonly hasExited: boolean
  /** Other processes that are known to come of it, such as some that were found before their parent ended. */
  readonly known: ReadonlySet<number>
  /** True for a process that has the mark or the namespace of the started one, whoever its parent is now. */
  readonly isMarked: (pid: number) => boolean
}

/** The processes that come of a started one: its children and theirs, its group, groups and sessions that they made, and all with its mark. */
export function treeOf(rows: readonly ProcessRow[], root: TreeRoot): Set<number> {
  const heads = new Set(root.known)
  // A number is not given to another process while a group has it, so a process of that number now leads a group of its own.
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
