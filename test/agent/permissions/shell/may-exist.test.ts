import { expect, it } from 'vitest'
import { type FileLook, mayExist } from '../../../../src/agent/permissions/shell/may-exist.ts'
import { literal, type TextShape } from '../../../../src/agent/permissions/shell/text-shape.ts'

const ENV = literal('/work/.env')
const ANY_ENV: TextShape = [{ hole: 'any' }, { text: '/.env' }]
const inFolder = (folder: string): TextShape => [{ text: `${folder}/` }, { hole: 'any' }]

/** A disk with these files; `asked` are the folders that somebody looked through. */
function disk(...files: string[]): FileLook & { asked: string[] } {
  const asked: string[] = []
  const below = (folder: string) => {
    asked.push(folder)
    return files.filter((file) => file.startsWith(`${folder}/`))
  }
  return { exists: (path) => files.includes(path), below, asked }
}

it('two shapes without a path in common are no file', () => {
  expect(mayExist(ENV, inFolder('/work/src'), disk('/work/.env'))).toBe(false)
  expect(mayExist(ENV, inFolder('/work'))).toBe(true)
})

it('a file that is named is looked for', () => {
  expect(mayExist(ENV, inFolder('/work'), disk('/work/.env'))).toBe(true)
  expect(mayExist(ENV, inFolder('/work'), disk())).toBe(false)
})

it('a file that is not named is looked for in the folder of either shape', () => {
  const look = disk('/work/a/.env', '/work/b/x')
  expect(mayExist(ANY_ENV, inFolder('/work/a'), look)).toBe(true)
  expect(mayExist(ANY_ENV, inFolder('/work/b'), look)).toBe(false)
  expect(mayExist(inFolder('/work/a'), [{ hole: 'any' }, { text: '/.env' }], look)).toBe(true)
  expect(mayExist([{ text: '/work/b/' }, { hole: 'any' }, { text: 'v' }], ANY_ENV, look)).toBe(false)
  expect(look.asked).toEqual(['/work/a', '/work/b', '/work/a', '/work/b'])
})

it('the folder of a shape is what stands before the last slash of its text', () => {
  const look = disk('/work/abc/.env')
  expect(mayExist(ANY_ENV, [{ text: '/work/ab' }, { hole: 'any' }], look)).toBe(true)
  expect(look.asked).toEqual(['/work'])
})

it('where nobody can look there may be a file', () => {
  const look = disk()
  expect(mayExist(ANY_ENV, [{ hole: 'any' }], look)).toBe(true)
  expect(mayExist(ANY_ENV, [{ text: '/' }, { hole: 'any' }], look)).toBe(true)
  expect(look.asked).toEqual([])
  expect(mayExist(ANY_ENV, inFolder('/work'), { exists: () => false, below: () => undefined })).toBe(true)
})
