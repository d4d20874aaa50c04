import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ownCommand } from '../../../../src/cli/commands/setup/setup-agent.ts'

/** A program, and a link to it on the path. */
function installed(link: string) {
  const root = mkdtempSync(join(tmpdir(), 'pith-own-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const main = join(root, 'main.js')
  writeFileSync(main, '', { mode: 0o755 })
  mkdirSync(dirname(join(root, link)), { recursive: true })
  symlinkSync(main, join(root, link))
  return { main, path: [dirname(join(root, link)), '/usr/bin'].join(delimiter) }
}

it('names pith if the path has this very program', () => {
  const { main, path } = installed('bin/pith')
  expect(ownCommand(main, path)).toEqual({ command: 'pith', args: [] })
})

it('names the file if the path has another one, or none', () => {
  const { path } = installed('bin/pith')
  const { main } = installed('bin/other')
  expect(ownCommand(main, path)).toEqual({ command: process.execPath, args: [main] })
  expect(ownCommand(main, '')).toEqual({ command: process.execPath, args: [main] })
})

it('names the file under npx, whose path is gone when the agent starts', () => {
  const { main, path } = installed('_npx/1/node_modules/.bin/pith')
  expect(ownCommand(main, path)).toEqual({ command: process.execPath, args: [main] })
})

it('names the single executable alone: it is its own program', () => {
  expect(ownCommand(process.execPath, '')).toEqual({ command: process.execPath, args: [] })
})
