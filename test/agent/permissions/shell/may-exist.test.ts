import { expect, it } from 'vitest'
import {
  type FileProbe,
  literal,
  mayExist,
  type TextShape,
} from '../../../../src/agent/permissions/shell/text-shape.ts'

const ENV = literal('/shop/.env')
const ANY_ENV: TextShape = [{ hole: 'any' }, { text: '/.env' }]
const inFolder = (folder: string): TextShape => [{ text: `${folder}/` }, { hole: 'any' }]

/** A disk with these files; `asked` are the folders that somebody looked through. */
function disk(...files: string[]): FileProbe & { asked: string[] } {
  const asked: string[] = []
  const below = (folder: string) => {
    asked.push(folder)
    return files.filter((file) => file.startsWith(`${folder}/`))
  }
  return { exists: (path) => files.includes(path), below, asked }
}

it('two shapes without a path in common match no file', () => {
  expect(mayExist(ENV, inFolder('/shop/src'), disk('/shop/.env'))).toBe(false)
  expect(mayExist(ENV, inFolder('/shop'))).toBe(true)
})

it('a file that is named is looked for', () => {
  expect(mayExist(ENV, inFolder('/shop'), disk('/shop/.env'))).toBe(true)
  expect(mayExist(ENV, inFolder('/shop'), disk())).toBe(false)
})

it('a file that is not named is looked for in the folder of either shape', () => {
  const probe = disk('/shop/a/.env', '/shop/b/x')
  expect(mayExist(ANY_ENV, inFolder('/shop/a'), probe)).toBe(true)
  expect(mayExist(ANY_ENV, inFolder('/shop/b'), probe)).toBe(false)
  expect(mayExist(inFolder('/shop/a'), [{ hole: 'any' }, { text: '/.env' }], probe)).toBe(true)
  expect(mayExist([{ text: '/shop/b/' }, { hole: 'any' }, { text: 'v' }], ANY_ENV, probe)).toBe(false)
  expect(probe.asked).toEqual(['/shop/a', '/shop/b', '/shop/a', '/shop/b'])
})

it('the folder of a shape is the text before the last slash', () => {
  const probe = disk('/shop/abc/.env')
  expect(mayExist(ANY_ENV, [{ text: '/shop/ab' }, { hole: 'any' }], probe)).toBe(true)
  expect(probe.asked).toEqual(['/shop'])
})

it('there may be a file if that cannot be checked', () => {
  const probe = disk()
  expect(mayExist(ANY_ENV, [{ hole: 'any' }], probe)).toBe(true)
  expect(mayExist(ANY_ENV, [{ text: '/' }, { hole: 'any' }], probe)).toBe(true)
  expect(probe.asked).toEqual([])
  expect(mayExist(ANY_ENV, inFolder('/shop'), { exists: () => false, below: () => undefined })).toBe(true)
})
