import { describe, expect, it } from 'vitest'
import {
  belowShape,
  type Hole,
  literal,
  pathShape,
  type TextShape,
} from '../../../../src/agent/permissions/shell/text-shape.ts'

function shape(text: string): TextShape {
  return text
    .split(/(<[a-z-]+>)/)
    .flatMap((part) => (/^<.+>$/.test(part) ? [{ hole: part.slice(1, -1) as Hole }] : literal(part)))
}

const shown = (parts: TextShape) => parts.map((part) => ('text' in part ? part.text : `<${part.hole}>`)).join('')

describe('a path seen from a folder', () => {
  it.each([
    ['a', '/shop/a'],
    ['./a//b/.', '/shop/a/b'],
    ['', '/shop'],
    ['..', ''],
    ['../a', '/a'],
    ['../../../a', '/a'],
    ['a/../b', '/shop/b'],
    ['/a', '/a'],
    ['/a/./b/..', '/a'],
    ['/', ''],
    ['<any>', '<any>'],
    ['<any>/../a', '<any>/a'],
    ['<any>/a/../b', '<any>/b'],
    ['a/<any>/../b', '/shop/a/<any>/b'],
    ['a/<segment>/../b', '/shop/a/b'],
    ['<segment>/a', '/shop/<segment>/a'],
    ['<one>', '/shop/<one>'],
    ['v<any>', '/shop/v<segment>'],
    ['v<any>/a', '/shop/v<segment>/a'],
    ['v/<any>', '/shop/v/<any>'],
    ['v/<any><any>', '/shop/v/<any><any>'],
    ['v<segment>', '/shop/v<segment>'],
    ['.<any>', '/shop/.<segment>'],
  ])('%j is %j', (path, absolute) => {
    expect(shown(pathShape(literal('/shop'), shape(path)))).toBe(absolute)
  })

  it('that may be anywhere stays open', () => {
    expect(shown(pathShape(shape('<any>'), literal('a')))).toBe('<any>/a')
    expect(shown(pathShape(shape('<any>'), literal('/a')))).toBe('/a')
    expect(shown(pathShape(shape('<any>'), literal('../a')))).toBe('<any>/a')
  })
})

it('a path below another one begins after a slash', () => {
  expect(shown(belowShape(literal('/a')))).toBe('/a/<any>')
})
