import { rmSync } from 'node:fs'
import { count, counted } from '../../../engine/report/numbers.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text.ts'
import { projectPage } from '../../../store/memory-pages.ts'
import { exportText, type MemoryRow, MOST_PINNED_TOKENS, numberedPage } from '../../../study/memory/memory-page.ts'
import { featureEstimator } from '../../../tokens/estimate/feature-estimator.ts'
import { type BuiltMemory, buildMemory } from '../../memory/build-memory.ts'
import { changeKept } from '../../memory/kept-memory.ts'
import { type Project, projectOf } from '../../memory/project-of.ts'
import { note, print, printJson, showProgress } from '../../output/show.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { interruptible } from '../../process/interruptible.ts'
import { loadSetup, type Setup } from '../../setup/setup.ts'
import type { MemoryFlags } from './memory.ts'

/** Brings the memory of this project up to date, and prints it. */
export async function showMemory(flags: MemoryFlags): Promise<void> {
  await withBuilt(({ memory, page, kept }, project) => {
    if (flags.json === true)
      return printJson({ project: project.name, ...page, changes: kept.changes, isOn: kept.isOn })
    if (page.text === '') return print(`Nothing is remembered of ${project.name}: ${nothingYet(memory.sessions)}.`)
    print(printable(numberedPage(page)))
    note(`${count(page.tokens)} tokens from ${counted(memory.sessions, 'session')} of ${project.name}`)
    if (kept.isOn === false) note('It is off for this project: pith memory on')
  })
}

function nothingYet(sessions: number): string {
  return sessions === 0
    ? 'no agent has worked in it on this machine'
    : `${counted(sessions, 'session')} left nothing that lasts`
}

/** Adds a line of the user's. */
export function pinLine(text: string): void {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') throw new PithError('bad-argument', 'there is nothing to pin: write the line after `pin`')
  if (line.length > LONGEST_PIN)
    throw new PithError(
      'bad-argument',
      `the line has ${count(line.length)} characters, and at most ${LONGEST_PIN} can be pinned`,
    )
  const { setup, project } = here()
  changeKept(setup.folders.data, project, (kept) => {
    const others = kept.changes.pinned.filter((pin) => pin.text !== line)
    const size = featureEstimator.text([...others.map(({ text }) => text), line].join('\n'))
    if (size > MOST_PINNED_TOKENS)
      throw new PithError('bad-argument', `the pinned lines are too long together: forget one of them first`)
    return { ...kept, changes: { ...kept.changes, pinned: [...others, { text: line, at: Date.now() }] } }
  })
  print(`Pinned for ${project.name}: ${printable(line)}`)
}

const LONGEST_PIN = 400

/** Takes rows out of the memory: pins are removed, others do not come back. */
export async function forgetLines(words: readonly string[]): Promise<void> {
  await withBuilt(({ page }, project, setup) => {
    const chosen = chosenRows(words, page.rows)
    forgetRows(setup, project, chosen)
    for (const { text } of chosen) print(`Forgotten: ${printable(text)}`)
  })
}

/** Removes these rows from what is kept, and the last finished page, which still has them. */
export function forgetRows(setup: Setup, project: Project, rows: readonly MemoryRow[]): void {
  const pinned = new Set(rows.map((row) => row.pinned))
  const forgotten = rows.flatMap(({ lines }) => lines.map(({ key }) => ({ key, at: Date.now() })))
  changeKept(setup.folders.data, project, (kept) => ({
    ...kept,
    changes: {
      pinned: kept.changes.pinned.filter(({ text }) => !pinned.has(text)),
      forgotten: [...kept.changes.forgotten, ...forgotten],
    },
  }))
  rmSync(projectPage(setup.folders.data, project.key), { force: true })
}

/** The rows with these numbers, or the only one that has these words. */
function chosenRows(words: readonly string[], rows: readonly MemoryRow[]): MemoryRow[] {
  if (words.every((word) => /^\d+,?$/.test(word))) {
    return words.map((word) => {
      const number = Number.parseInt(word, 10)
      const row = rows[number - 1]
      if (row !== undefined) return row
      throw new PithError('bad-argument', `there is no line ${number}: pith memory has ${counted(rows.length, 'line')}`)
    })
  }
  const wanted = words.join(' ')
  const found = rows.filter(({ text }) => text.toLowerCase().includes(wanted.toLowerCase()))
  const [only, ...others] = found
  if (only === undefined) throw new PithError('bad-argument', `no line of the memory has “${wanted}”`)
  if (others.length === 0) return [only]
  throw new PithError('bad-argument', `${found.length} lines have “${wanted}”: name one by its number in pith memory`)
}

/** Prints rules and commands as they would stand in a file of instructions. */
export async function exportMemory(): Promise<void> {
  await withBuilt(({ page }, project) => {
    const text = exportText(page)
    if (text === '') throw new PithError('not-allowed', `the memory of ${project.name} has no rules and no commands`)
    print(printable(text))
  })
}

/** Brings the page up to date without showing it: a session that begins starts this in the background. */
export async function updateMemory(): Promise<void> {
  await withBuilt(({ memory, page }, project) => {
    print(`${count(page.tokens)} tokens from ${counted(memory.sessions, 'session')} of ${printable(project.name)}`)
  })
}

/** Switches it on or off for this project. */
export function switchMemory(isOn: boolean): void {
  const { setup, project } = here()
  changeKept(setup.folders.data, project, (kept) => ({ ...kept, isOn }))
  print(
    `The memory of ${project.name} is ${isOn ? 'on: new sessions here begin with it' : 'off: no session begins with it'}`,
  )
}

function here(): { readonly setup: Setup; readonly project: Project } {
  return { setup: loadSetup({}), project: projectOf(process.cwd()) }
}

/** Builds the memory of this folder's project with a line of progress, and works with it. */
export async function withBuilt(
  work: (built: BuiltMemory, project: Project, setup: Setup) => void | Promise<void>,
): Promise<void> {
  const { setup, project } = here()
  await interruptible(async (signal) => {
    try {
      const from = Date.now()
      const progress = (done: number, all: number) => {
        if (Date.now() - from >= SLOW_MS) showProgress(`Reading ${count(done)} of ${counted(all, 'session')} …`)
      }
      const built = await buildMemory(setup, project, { signal, progress }).finally(() => showProgress(''))
      await work(built, project, setup)
    } catch (error) {
      if (!signal.aborted) throw error
      process.exitCode = EXIT.interrupted
    }
  })
}

const SLOW_MS = 1_000
