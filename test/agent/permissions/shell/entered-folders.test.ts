import { describe, expect, it } from 'vitest'
import { enteredFolders, maybeEntered } from '../../../../src/agent/permissions/shell/reading-limits.ts'
import { ANYTHING, exactText, literal, type TextShape } from '../../../../src/agent/permissions/shell/text-shape.ts'

const folders = (count: number) => Array.from({ length: count }, (_, n) => literal(`/f${n}`))
const shown = (shapes: readonly TextShape[]) =>
  shapes.map((shape) => (shape === ANYTHING ? 'anywhere' : exactText(shape)))

describe('a command that enters a folder', () => {
  it('is in each target, seen from each folder', () => {
    const targets = [literal('a'), literal('/b')]
    expect(shown(enteredFolders(folders(2), targets))).toEqual(['/f0/a', '/b', '/f1/a', '/b'])
  })

  it('may also have stayed where it was if that is not sure', () => {
    expect(shown(maybeEntered(folders(2), [literal('a')]))).toEqual(['/f0/a', '/f1/a', '/f0', '/f1'])
  })

  it('may be anywhere once there are too many, and the last folders are still known', () => {
    const last = ['/f8', '/f9', '/f10', '/f11', '/f12', '/f13', '/f14', '/f15']
    expect(enteredFolders(folders(16), [literal('a')])).toHaveLength(16)
    expect(shown(enteredFolders(folders(16), [literal('a'), literal('b')]))).toEqual(['anywhere', ...last])
    expect(shown(enteredFolders(folders(17), [literal('a')]))).toEqual(['anywhere', ...last.slice(1), '/f16'])
    expect(maybeEntered(folders(8), [literal('a')])).toHaveLength(16)
    expect(shown(maybeEntered(folders(9), [literal('a')]))).toEqual(['anywhere', ...shown(folders(9)).slice(1)])
  })
})
