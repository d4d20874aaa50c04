import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { fileNames } from '../../config/places/file-names.ts'
import { elapsed } from '../../engine/report/numbers.ts'
import { JOB_REPORT } from '../../model/text.ts'
import type { Seq } from '../../model/types.ts'
import { isRunning } from './process-table.ts'

/** The session that a job belongs to. A fork also has the jobs that its parent started before the fork. */
export type JobOwner = {
  readonly id: string
  readonly lastSeq: Seq
  readonly parent?: { readonly id: string; readonly seq: Seq }
}

/** A command that runs in the background. */
export type JobCommand = {
  readonly command: string
  /** How long it ran in the foreground. */
  readonly ranMs: number
  readonly output: () => string
  /** The answer of the finished command, as the model would have read it, its raw output and its exit code. */
  readonly ended: Promise<{ readonly text: string; readonly raw?: string; readonly exit: number }>
  /** Ends it. The clause says why, to go after "because". */
  readonly stop: (why: string) => void
  /** Lets it run on when Pith ends, with its further output in the file. The process group; undefined if it must end with Pith. */
  readonly detach: (file: string) => number | undefined
}

/** A background command with its handle. */
export type Job = {
  readonly id: string
  readonly session: string
  readonly seq: Seq
  readonly command: string
  readonly startedAt: number
  readonly state: 'running' | 'ended' | 'detached'
  readonly endedAt?: number
  readonly exit?: number
  readonly output: () => string
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
}

/** A text of the program for the next turn of a session, and the raw output of the command. Call `stored` when the log has it. */
export type JobReport = { readonly text: string; readonly raw?: string; readonly stored: () => void }

export type JobsDeps = {
  /** The user's data folder. */
  readonly folder: string
  readonly clock: () => number
  /** Shows the user a line about a job. */
  readonly notify: (text: string) => void
  readonly onRunning?: (count: number) => void
}

/** More would hardly be wanted, and each keeps up to a megabyte of output. */
const MOST_RUNNING = 8
/** Ended jobs whose output can still be read. */
const MOST_ENDED = 20
/** How much of an output is in a file for the next start. */
const TAIL_CHARACTERS = 2_000

type Entry = Job & {
  readonly control: JobCommand
  /** The text for the next turn of its session, and the raw output that goes with it. */
  readonly report?: string | undefined
  readonly raw?: string | undefined
  /** The answer of the finished command. */
  readonly answer?: string
  /** The output when the model last read it. */
  readonly read: string
}

type Row = z.infer<typeof rowSchema>
const rowSchema = z.object({ id: z.string(), command: z.string(), report: z.string().optional() })

/**
 * The background commands of this process. A file for each session names those whose end was not reported yet, so that the
 * session gets the report even if we are killed.
 */
export class Jobs {
  readonly #deps: JobsDeps
  #jobs: Entry[] = []
  readonly #foreground = new Set<() => void>()
  readonly #lost = new Map<string, JobReport[]>()
  #isClosing = false

  constructor(deps: JobsDeps) {
    this.#deps = deps
  }

  get all(): readonly Job[] {
    return this.#jobs
  }

  /** A job of this session, by its handle. */
  find(owner: JobOwner, id: string): Job | undefined {
    return this.#jobs.find((job) => job.id === id && isOf(owner, job))
  }

  running(owner?: JobOwner): readonly Job[] {
    return this.#jobs.filter((job) => job.state === 'running' && (owner === undefined || isOf(owner, job)))
  }

  /** Why no more commands can go to the background now; undefined if they can. */
  get full(): string | undefined {
    const running = this.running().map(({ id }) => id)
    return running.length < MOST_RUNNING
      ? undefined
      : `${running.length} commands run in the background, as many as can (${running.join(', ')}): stop one first`
  }

  /** Watches a command that has gone to the background. */
  add(owner: JobOwner, control: JobCommand): Job {
    const { clock } = this.#deps
    const id = this.#freeId(owner.lastSeq)
    const ended = control.ended.then((end) => this.#end(id, end))
    const { command, output } = control
    const job = {
      id,
      session: owner.id,
      seq: owner.lastSeq,
      command,
      startedAt: clock() - control.ranMs,
      output,
      ended,
      state: 'running' as const,
    }
    this.#jobs.push({ ...job, control, read: '' })
    this.#changed(owner.id)
    return job
  }

  /** Resolves when the user sends the commands that run in the foreground to the background. */
  foreground(): { readonly leaves: Promise<void>; readonly forget: () => void } {
    const { promise: leaves, resolve } = Promise.withResolvers<void>()
    this.#foreground.add(resolve)
    return { leaves, forget: () => this.#foreground.delete(resolve) }
  }

  /** Sends the commands in the foreground to the background. False if there are none. */
  sendToBackground(): boolean {
    const waiting = [...this.#foreground]
    for (const leave of waiting) leave()
    return waiting.length > 0
  }

  /** The output of a job for the model: what it has not read yet, or all of it. `runsFor`: it still runs, for this many milliseconds. */
  read(
    id: string,
    part: 'new' | 'whole',
  ): { readonly text: string; readonly raw?: string; readonly isNew: boolean; readonly runsFor?: number } {
    const job = this.#jobs.find((each) => each.id === id)
    if (job === undefined) return { text: '', isNew: false }
    const all = job.answer ?? job.output()
    const isNew = part === 'new' && job.read !== ''
    const text = isNew ? changedLines(job.read, all) : all
    this.#jobs = this.#jobs.with(this.#jobs.indexOf(job), { ...job, read: all })
    if (job.answer === undefined) return { text, isNew, runsFor: this.#deps.clock() - job.startedAt }
    const { raw } = job
    this.reported(id)
    return { text, isNew, ...(raw === undefined ? {} : { raw }) }
  }

  /** Gives the jobs of a sub-agent that has ended to the session that started it: nobody else would read how they end. */
  handOver(task: string, { id: session, lastSeq: seq }: JobOwner): void {
    const left = this.#jobs.filter((job) => job.session === task)
    if (left.length === 0) return
    this.#jobs = this.#jobs.map((job) => (left.includes(job) ? { ...job, session, seq } : job))
    this.#changed(session)
    this.#changed(task)
  }

  /** Ends a job, and resolves when it has ended. */
  async stop(id: string, why: string): Promise<void> {
    const job = this.#jobs.find((each) => each.id === id && each.state === 'running')
    job?.control.stop(why)
    await job?.ended
  }

  /** Lets a job run on when Pith ends. Only the user may do this. Returns a line for them. */
  detach(id: string): { readonly ok: boolean; readonly text: string } {
    const job = this.#jobs.find((each) => each.id === id && each.state === 'running')
    if (job === undefined) return { ok: false, text: `${id} does not run any more` }
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const file = join(this.#folder, `${id}.${process.pid}.log`)
    const group = job.control.detach(file)
    if (group === undefined)
      return { ok: false, text: `${id} was started in the foreground, inside the sandbox: it ends with Pith` }
    const report = `${JOB_REPORT} ${id} (${job.command}) was detached by the user. It continues, but it is no longer yours.]`
    this.#set(id, { state: 'detached', endedAt: this.#deps.clock(), report })
    return { ok: true, text: `${id} runs on when Pith ends. Its output: ${file}. To end it: kill -- -${group}` }
  }

  /** The texts about jobs that the session has not read yet. */
  reports(owner: JobOwner): readonly JobReport[] {
    const own = this.#jobs.flatMap((job) => {
      const { id, report: text, raw } = job
      if (text === undefined || !isOf(owner, job)) return []
      return [{ text, ...(raw === undefined ? {} : { raw }), stored: () => this.reported(id) }]
    })
    const lost = this.#lost.get(owner.id) ?? []
    this.#lost.delete(owner.id)
    return [...lost, ...own]
  }

  /** The session has read how the job ended. */
  reported(id: string): void {
    this.#set(id, { report: undefined, raw: undefined })
  }

  /** Finds the jobs of this session and its sub-agents that ended with an earlier process. They are among the next reports. */
  findLost(session: string, tasks: readonly string[] = []): void {
    const found = fileNames(this.#folder).flatMap((name) => {
      const [of = '', pid] = name.split('.')
      if ((of !== session && !tasks.includes(of)) || !name.endsWith('.json') || isRunning(Number(pid))) return []
      const file = join(this.#folder, name)
      return rowsIn(file).map(({ id, command, report }) => ({
        text: report ?? `${JOB_REPORT} ${id} (${command}) ended when Pith ended.]`,
        stored: () => rmSync(file, { force: true }),
      }))
    })
    if (found.length > 0) this.#lost.set(session, found)
  }

  /** Ends all jobs except the detached ones. Their ends are reported when the session is opened again. */
  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.all(this.running().map(({ id }) => this.stop(id, 'Pith ended')))
  }

  #freeId(seq: Seq): string {
    for (let number = Math.max(1, seq); ; number++) {
      const id = `j${number}`
      if (this.#jobs.every((job) => job.id !== id)) return id
    }
  }

  #end(id: string, { text, raw, exit }: Awaited<JobCommand['ended']>): void {
    const job = this.#jobs.find((each) => each.id === id)
    // A detached one is no longer ours.
    if (job?.state !== 'running') return
    const endedAt = this.#deps.clock()
    const how = `exit code ${exit}, ${elapsed(endedAt - job.startedAt)}`
    const shown = this.#isClosing ? text.slice(-TAIL_CHARACTERS) : text
    const report = `${JOB_REPORT} ${id} ended: ${how} · ${job.command}]\n${shown}`
    this.#set(id, { state: 'ended', endedAt, exit, report, raw, answer: text })
    const old = this.#jobs.filter(({ state, report }) => state !== 'running' && report === undefined)
    this.#jobs = this.#jobs.filter((each) => !old.slice(0, -MOST_ENDED).includes(each))
    if (!this.#isClosing) this.#deps.notify(`${id} ended: ${how} · ${job.command.split('\n', 1)[0]}`)
  }

  #set(id: string, change: Partial<Entry>): void {
    const job = this.#jobs.find((each) => each.id === id)
    if (job === undefined) return
    this.#jobs = this.#jobs.with(this.#jobs.indexOf(job), { ...job, ...change })
    this.#changed(job.session)
  }

  /** Writes the file of the session, and reports how many jobs run. */
  #changed(session: string): void {
    const rows = this.#jobs
      .filter((job) => job.session === session && (job.state === 'running' || job.report !== undefined))
      .map(({ id, command, report }): Row => ({ id, command, report }))
    const file = join(this.#folder, `${session}.${process.pid}.json`)
    try {
      if (rows.length === 0) rmSync(file, { force: true })
      else {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
        writeFileSync(file, JSON.stringify(rows), { mode: 0o600 })
      }
    } catch {
      // A full disk must not stop the work: only a report after a crash would be missing.
    }
    this.#deps.onRunning?.(this.running().length)
  }

  get #folder(): string {
    return join(this.#deps.folder, 'jobs')
  }
}

/** The lines of an output from the first one that has changed: a progress bar changes its line, and of a flood the middle is dropped. */
function changedLines(before: string, now: string): string {
  let same = 0
  while (same < before.length && before[same] === now[same]) same++
  if (same === before.length && (same === now.length || now[same] === '\n')) return now.slice(same + 1)
  return now.slice(now.lastIndexOf('\n', same - 1) + 1)
}

function isOf({ id, parent }: JobOwner, job: Job): boolean {
  return job.session === id || (parent !== undefined && job.session === parent.id && job.seq <= parent.seq)
}

function rowsIn(file: string): Row[] {
  try {
    return z.array(rowSchema).parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return []
  }
}
