import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeProgram } from '../support/program.ts'

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')

/** The program for these tests alone: some of them put a plug-in beside it. */
export default async function setup(project: TestProject): Promise<() => void> {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'pith-clients-'))
  project.provide('program', await makeProgram(folder))
  return () => rmSync(folder, { recursive: true, force: true })
}
