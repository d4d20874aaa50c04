import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

const root = resolve(import.meta.dirname, '../..')
const KEPT = join(root, 'node_modules', '.cache', 'pith-program')
const DAY_MS = 86_400_000

/** The files beside the program as it ships. */
const BESIDE = ['package.json', join('src', 'gateway', 'wrap', 'pi-extension.ts')]

declare module 'vitest' {
  interface ProvidedContext {
    /** The program as it ships. */
    readonly program: string
  }
}

/**
 * Makes the program that the tests of the command line run: as it ships, for it starts in a third of the time. It is kept
 * for the next run of the same sources, and with it what Node has compiled of it.
 */
export default async function setup(project: TestProject): Promise<void> {
  let folder = join(KEPT, madeOf())
  while (!existsSync(folder)) folder = await keep(folder)
  utimesSync(folder, new Date(), new Date())
  project.provide('program', mainOf(folder))
}

/** A name for all that the program is made of. */
function madeOf(): string {
  const hash = createHash('sha256')
  for (const place of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'scripts',
    'src',
    'test/support/program.ts',
  ]) {
    const found = statSync(join(root, place)).isFile() ? [''] : readdirSync(join(root, place), { recursive: true })
    for (const name of found.map(String).toSorted()) {
      const file = join(root, place, name)
      if (statSync(file).isFile()) hash.update(`${join(place, name)}\0`).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

/** Makes the program for its folder, and returns the folder of the sources as they are then: somebody may edit them meanwhile. */
async function keep(folder: string): Promise<string> {
  const fresh = `${folder}-${process.pid}`
  await makeProgram(fresh)
  const now = join(KEPT, madeOf())
  try {
    if (now === folder) renameSync(fresh, folder)
  } catch {
    // Another run was first, with the same.
  }
  rmSync(fresh, { recursive: true, force: true })
  for (const other of readdirSync(KEPT).map((name) => join(KEPT, name))) {
    const found = statSync(other, { throwIfNoEntry: false })
    if (found !== undefined && Date.now() - found.mtimeMs > DAY_MS) rmSync(other, { recursive: true, force: true })
  }
  return now
}

/** Writes the program into a folder, and returns the file that starts it. */
export async function makeProgram(folder: string): Promise<string> {
  const { bundleProgram } = await import('../../scripts/bundle.mjs')
  await bundleProgram(join(folder, 'dist'))
  for (const file of BESIDE) cpSync(join(root, file), join(folder, file))
  return mainOf(folder)
}

function mainOf(folder: string): string {
  return join(folder, 'dist', 'cli', 'main.js')
}
