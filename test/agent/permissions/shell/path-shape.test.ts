import { describe, expect, it } from 'vitest'
import { belowShape, pathShape } from '../../../../src/agent/permissions/shell/path-shape.ts'
import { type Hole, literal, type TextShape } from '../../../../src/agent/permissions/shell/text-shape.ts'

function shape(text: string): TextShape {
  return text
    .split(/(<[a-z-]+>)/)
    .flatMap((part) => (/^<.+>$/.test(part) ? [{ hole: part.slice(1, -1) as Hole }] : literal(part)))
}

const shown = (parts: TextShape) => parts.map((part) => ('text' in part ? part.text : `<${part.hole}>`)).join('')

describe('a path seen from a folder', () => {
  it.each([
    ['a', '/work/a'],
    ['./a//b/.', '/work/a/b'],
    ['', '/work'],
    ['..', ''],
    ['../a', '/a'],
    ['../../../a', '/a'],
    ['a/../b', '/work/b'],
    ['/a', '/a'],
    ['/a/./b/..', '/a'],
    ['/', ''],
    ['<any>', '<any>'],
    ['<any>/../a', '<any>/a'],
    ['<any>/a/../b', '<any>/b'],
    ['a/<any>/../b', '/work/a/<any>/b'],
    ['a/<segment>/../b', '/work/a/b'],
    ['<segment>/a', '/work/<segment>/a'],
    ['<one>', '/work/<one>'],
    ['v<any>', '/work/v<segment>'],
    ['v<any>/a', '/work/v<segment>/a'],
    ['v/<any>', '/work/v/<any>'],
    ['v/<any><any>', '/work/v/<any><any>'],
    ['v<segment>', '/work/v<segment>'],
    ['.<any>', '/work/.<segment>'],
  ])('%j is %j', (path, absolute) => {
    expect(shown(pathShape(literal('/work'), shape(path)))).toBe(absolute)
  })

  it('that may be anywhere stays open', () => {
    expect(shown(pathShape(shape('<any>'), literal('a')))).toBe('<any>/a')
    expect(shown(pathShape(shape('<any>'), literal('/a')))).toBe('/a')
    expect(shown(pathShape(shape('<any>'), literal('../a')))).toBe('<any>/a')
  })
})

it('what lies below a path begins behind a slash', () => {
  expect(shown(belowShape(literal('/a')))).toBe('/a/<any>')
})
