import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { enterablePath, programPath, programProblem } from '../../../src/config/places/program-path.ts'
import { closedPath } from '../../support/closed-path.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pith-programs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, mode] of [
    ['runs', 0o755],
    ['stays', 0o644],
  ] as const) {
    writeFileSync(join(folder, name), '#!/bin/sh\n')
    chmodSync(join(folder, name), mode)
  }
})

describe('a program', () => {
  it('that is on the PATH has a file and no problem', () => {
    const path = ['/nowhere', folder].join(delimiter)
    expect(programPath('runs', path)).toBe(join(folder, 'runs'))
    expect(programProblem('runs', path)).toBeUndefined()
  })

  it('that is not on the PATH is reported so, whichever folders cannot be entered', () => {
    for (const path of ['', folder, [closedPath(), folder].join(delimiter)])
      expect(programProblem('misses', path)).toBe('`misses` is not on the PATH')
  })

  it('whose file is not executable is reported so, and one later on the PATH is taken', () => {
    expect(programProblem('stays', folder)).toBe(`${join(folder, 'stays')} is not executable`)
    const later = join(folder, 'later')
    mkdirSync(later)
    writeFileSync(join(later, 'stays'), '', { mode: 0o755 })
    expect(programProblem('stays', [folder, later].join(delimiter))).toBeUndefined()
  })

  it('is looked for by its path from the folder that it runs in', () => {
    expect(programProblem('./runs', '', folder)).toBeUndefined()
    expect(programProblem('./stays', '', folder)).toBe(`${join(folder, 'stays')} is not executable`)
    expect(programProblem('./misses', folder, folder)).toBe('there is no file ./misses')
  })
})

it('only a folder of the PATH that cannot be entered is left out', () => {
  const closed = closedPath().split(delimiter)[0] ?? ''
  const open = ['', '/not/yet/there', 'relative', folder]
  expect(enterablePath([closed, ...open].join(delimiter), folder)).toBe(open.join(delimiter))
})
