import { describe, expect, it } from 'vitest'
import {
  findIdentifier,
  findPath,
  findQuotation,
  isWrittenIn,
} from '../../../../src/engine/compact/verify/find-name.ts'
import { sourceIndex } from '../../../../src/engine/compact/verify/source-index.ts'

describe('a path is found', () => {
  it.each([
    ['as it is', 'src/a.ts', 'open src/a.ts now'],
    ['as the end of an absolute one', 'src/a.ts', '/home/ann/shop/src/a.ts'],
    ['by its name alone', 'a.ts', '/home/ann/shop/src/a.ts'],
    [
      'absolute, when its folder and the rest are there',
      '/home/ann/shop/src/a.ts',
      'cwd /home/ann/shop\nedit src/a.ts',
    ],
    ['in a listing of its folder', 'src/lib/a.ts', 'ls src/lib\na.ts  b.ts'],
    ['with ./ before it', './src/a.ts', 'src/a.ts'],
    ['from the home folder', '~/shop/a.ts', '/home/ann/shop/a.ts'],
    ['with another kind of slash', 'src/a.ts', 'C:\\work\\src\\a.ts'],
    ['with slashes escaped in JSON', 'src/a.ts', '{"path":"src\\/a.ts"}'],
    ['with Windows slashes escaped in JSON', 'C:\\new\\a.ts', '{"path":"c:\\\\new\\\\a.ts"}'],
    ['after an escaped line break', 'src/a.ts', '{"text":"one\\nsrc/a.ts\\ntwo"}'],
    ['between colours of a terminal', 'src/a.ts', '\x1b[32msrc/a.ts\x1b[0m'],
    ['with another case of the drive', 'c:/repo/a.ts', 'C:\\repo\\a.ts'],
    ['in a diff', 'src/a.ts', '--- a/src/a.ts'],
    ['in a sentence without spaces', 'src/a.ts', '请让src/a.ts更快'],
    ['by its import', 'src/lib/a.ts', "in src/lib: import { x } from './a'"],
    ['by its import with .js', 'src/lib/a.ts', "in src/lib: import { x } from './a.js'"],
    ['as a module', 'shop/lib/a.py', 'import shop.lib.a'],
    ['as a route in parts', '/shares/received', "@Controller('shares') @Get('received')"],
    ['as a glob whose fixed parts are there', 'src/**/*.spec.ts', 'src/a.spec.ts'],
    ['with a placeholder in it', 'logs/<session-id>.log', 'logs/17.log'],
  ])('%s', (_, path, source) => {
    expect(findPath(path, sourceIndex([source]))).toBe(true)
  })
})

describe('a path is not found', () => {
  it.each([
    ['in a longer name', 'a.ts', 'data.ts'],
    ['in a longer extension', 'src/a.ts', 'src/a.tsx'],
    ['with another extension', 'src/a.ts', 'src/a.go'],
    ['in another folder', 'src/a.ts', 'lib/a.ts'],
    ['when only its folder is there', 'src/lib/a.ts', 'src/lib/b.ts'],
    [
      'when its name is listed far from its folder and at home elsewhere',
      'src/lib/a.ts',
      `src/lib ${'x '.repeat(20_000)} a.ts is web/a.ts`,
    ],
    ['as a glob of a folder that is not there', 'lib/**/*.spec.ts', 'src/a.spec.ts'],
    ['as a route with a part that is not there', '/shares/sent', "@Controller('shares') @Get('received')"],
  ])('%s', (_, path, source) => {
    expect(findPath(path, sourceIndex([source]))).toBe(false)
  })
})

describe('an identifier is found', () => {
  it.each([
    ['as it is', 'parseLine', 'parseLine(text)'],
    ['in a longer one', 'parseLine', 'parseLineFast'],
    ['with a call', 'parseLine()', 'const f = parseLine'],
    ['in the plural', 'parseLines', 'parseLine'],
    ['in another case', 'ParseLine', 'parseLine'],
    ['after an escaped line break', 'parseLine', '{"text":"one\\nparseLine"}'],
    ['as the parts of a member', 'LineParser.parse', 'class LineParser { parse() {} }'],
    ['as a setting with its value', 'MAX_LINES=500', 'MAX_LINES is 500'],
    ['as a package with its version', 'zod@4.6.7', '"zod": "4.6.7"'],
    ['as a number', '#183', 'gh pr view 183'],
    ['as a URL with another scheme', 'https://a.dev/b/', 'http://a.dev/b'],
    ['with an ellipsis', 'https://a.dev/b/...', 'https://a.dev/b/c-d-e'],
  ])('%s', (_, name, source) => {
    expect(findIdentifier(name, sourceIndex([source]))).toBe(true)
  })
})

describe('an identifier is not found', () => {
  it.each([
    ['when it is not there', 'parseLine', 'parse the line'],
    ['when one part is not there', 'LineParser.reset', 'class LineParser { parse() {} }'],
    ['in a longer number', '#183', '11830'],
    ['as another version', 'v1.2.3', '1.2.30'],
    ['as another port', 'localhost:3001', 'localhost:3000'],
  ])('%s', (_, name, source) => {
    expect(findIdentifier(name, sourceIndex([source]))).toBe(false)
  })
})

describe('a quotation is found', () => {
  it.each([
    ['over other white space', 'keep it as simple', 'keep  it\n  as simple'],
    ['with another case at its start', 'Keep it as simple', 'please keep it as simple'],
    ['with other quotes and apostrophes', 'don’t say “never” again', `don't say "never" again`],
    ['with Markdown', 'keep `it` as **simple**', 'keep it as simple'],
    ['with an ellipsis', 'keep it simple… and tell me when', 'keep it simple, test it, and tell me when'],
    [
      'with a word that an ellipsis cuts',
      'keep it as simple as pos…er test it now',
      'keep it as simple as possible; later test it now',
    ],
    [
      'with a note of what is left out',
      'keep it as simple as pos\n[… 20 characters left out, recall #3 …]\ner test it all now',
      'keep it as simple as possible; and some time later test it all now',
    ],
    [
      'with a remark in brackets',
      'this is it: [log output] what is wrong here?',
      'this is it: 17:03 boom. what is wrong here?',
    ],
    ['in JSON', 'say "keep it" as simple', '{"text":"say \\"keep it\\"\\nas simple"}'],
    ['in a listing with line numbers', 'keep it as simple', '  1→ keep it\n  2→ as simple'],
    [
      'when its sentences are there',
      'Keep it as simple. Test it very well.',
      'keep it as simple and then test it very well',
    ],
  ])('%s', (_, quotation, source) => {
    expect(findQuotation(quotation, sourceIndex([source]))).toBe(true)
  })
})

describe('a quotation is not found', () => {
  it.each([
    ['with another word', 'keep it as complex', 'keep it as simple'],
    ['with a word left out', 'do push to main now', 'do not push to main now'],
    ['when the text beside an ellipsis differs', 'keep it as complex as pos…', 'keep it as simple as possible'],
    ['with its words in another order', 'as simple keep it', 'keep it as simple'],
    ['when one of its sentences is not there', 'Keep it as simple. Ship it.', 'keep it as simple'],
    ['when a word only starts like it', 'keep it as simple', 'keep it as simplest'],
  ])('%s', (_, quotation, source) => {
    expect(findQuotation(quotation, sourceIndex([source]))).toBe(false)
  })
})

it.each([
  ['its beginning', (name: string) => `${name} and ${'other words '.repeat(10_000)}`],
  ['its end', (name: string) => `${'other words '.repeat(10_000)} and ${name}`],
  ['its beginning, and at the end as a part of another', (name: string) => `${name} ${'x '.repeat(50_000)} ${name}x`],
])('a name that a long text has at %s is written there', (_, textWith) => {
  expect(isWrittenIn(textWith('src/a.ts'), { kind: 'path', text: 'src/a.ts' })).toBe(true)
  expect(isWrittenIn(textWith('parsePort'), { kind: 'identifier', text: 'parsePort' })).toBe(true)
  expect(isWrittenIn(textWith('src/a.ts'), { kind: 'path', text: 'src/b.ts' })).toBe(false)
  expect(isWrittenIn(textWith('src/a.tsx'), { kind: 'path', text: 'src/a.ts' })).toBe(false)
})
