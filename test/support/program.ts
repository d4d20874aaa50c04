import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

const root = resolve(import.meta.dirname, '../..')

declare module 'vitest' {
  interface ProvidedContext {
    /** The program as it ships. */
    readonly program: string
  }
}

/** Makes the program that the tests of the command line run: as it ships, for it starts in a third of the time. */
export default async function setup(project: TestProject): Promise<() => void> {
  const { bundleProgram } = await import('../../scripts/bundle.mjs')
  const folder = join(root, 'node_modules', '.cache', 'pith-program', String(process.pid))
  mkdirSync(folder, { recursive: true })
  await bundleProgram(join(folder, 'dist'))
  const beside = ['package.json', join('src', 'gateway', 'wrap', 'pi-extension.ts')]
  for (const file of beside) cpSync(join(root, file), join(folder, file))
  project.provide('program', join(folder, 'dist', 'cli', 'main.js'))
  return () => rmSync(folder, { recursive: true, force: true })
}
