import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fileError } from '../../../../src/agent/tool.ts'

function errorOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

it('an error of the file system is described with the path and in plain words', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-errors-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'a')
  writeFileSync(file, '')
  const textOf = (work: () => unknown) => fileError(errorOf(work))
  const [missing, below, long] = [join(folder, 'b'), join(file, 'b'), join(folder, 'x'.repeat(300))]
  expect(textOf(() => readFileSync(missing))).toBe(`${missing}: no such file or folder`)
  expect(textOf(() => readFileSync(below))).toBe(`${below}: a part of the path is a file, not a folder`)
  expect(textOf(() => readdirSync(file))).toBe(`${file}: a part of the path is a file, not a folder`)
  expect(textOf(() => readFileSync(long))).toBe(`${long}: the path is too long`)
  expect(textOf(() => readFileSync(folder))).toMatch(/is a folder$/)
})

it.each([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EEXIST', 'a part of the path is a file, not a folder'],
  ['ENOSPC', 'the disk is full: nothing was written'],
  ['EROFS', 'the file system is read-only: nothing was written'],
  ['EMFILE', 'too many files are open: try again'],
  ['EIO', 'as the system says it'],
])('%s is described as: %s', (code, text) => {
  expect(fileError(Object.assign(new Error('as the system says it'), { code, path: '/a' }))).toBe(`/a: ${text}`)
  expect(fileError(Object.assign(new Error('as the system says it'), { code }))).toBe(text)
})

it('any other error is not one of the file system', () => {
  for (const code of [undefined, 1, '', 'ERR_INVALID_ARG', 'xENOENT'])
    expect(fileError(Object.assign(new Error('no'), { code }))).toBeUndefined()
  expect(fileError({ code: 'ENOENT' })).toBeUndefined()
})
